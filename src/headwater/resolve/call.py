"""Calls of procedures: arguments go into parameters, what the procedure does with these is applied, out parameters come back."""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.entity import PSEUDO_ROWS, EntityKind, TableName
from headwater.model.kind import FROM_ROWS, IDENTITY, code
from headwater.model.resolution import Effect, End, EntityRow, SqlFunction
from headwater.resolve.assign import fill
from headwater.resolve.builder import Builder
from headwater.resolve.collection import record
from headwater.resolve.flow import flow
from headwater.resolve.iceberg_procedure import iceberg_procedure
from headwater.resolve.last_result import keep_result
from headwater.resolve.returned import show_rows
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.statement import Outcome, resolves
from headwater.resolve.suggestion import near_name
from headwater.resolve.variable import Holder, assigned, columns_of, held, of_session, target_of
from headwater.resolve.write import write_by_position, write_to_schema
from headwater.sql.form import Argument, RowsOfProcedure
from headwater.sql.procedural.form import Call

_SYSTEM = ("dbms_", "utl_", "sp_", "xp_", "system$", "sys.", "dbc.", "raise_application_error", "apex_", "pg_")
"""How procedures of the database itself are called, which move no data of anybody's tables."""

_SHOWING = frozenset({"tsql", "mysql"})
"""Where the rows that a called procedure shows are shown by its caller, too."""

_OF_SYSTEM_DATABASE = re.compile(r"^(?:master|msdb|tempdb|model)\.(?:(?:dbo|sys)\.)?")
"""What may stand before the name of such a procedure in T-SQL."""


@resolves(Call)
def call(builder: Builder, form: Call, environment: Environment) -> Outcome:
    """`CALL p(a, v)`: what p does with its parameters, it does with what it is given here."""
    routine = routine_named(builder, form.procedure, len(form.arguments))
    scope = Scope(builder, None, environment)
    if routine is None:
        outcome = iceberg_procedure(builder, form, environment)
        if outcome is None:
            _unknown(builder, form)
        return outcome or Outcome("Call")
    parameters = Parameters(scope, routine, form.arguments, form)
    result = apply(builder, routine, parameters, form)
    if result.outputs:
        keep_result(builder, result)
        if builder.dialect.family in _SHOWING and form.into is None:
            show_rows(builder, result)
    for argument, position in parameters.given:
        if argument.out is not None and routine.modes[position] != "in":
            holder, field = target_of(scope, argument.out)
            parameters.give_back(position, holder, field, argument.out.place)
    if form.rows is not None:
        fill(builder, target_of(scope, form.rows)[0], result, form.rows.place)
    if form.into is not None:
        holder, field = target_of(scope, form.into)
        for _, column in result.outputs[:1]:
            builder.edge(holder.claim(field) if field else holder.value, column, IDENTITY, form.into.place)
    return Outcome("Call")


def _unknown(builder: Builder, form: Call) -> None:
    name = ".".join(part.name for part in form.procedure.parts)
    if _OF_SYSTEM_DATABASE.sub("", name.lower()).startswith(_SYSTEM):
        return
    known = [".".join(f.name) for each in builder.session.functions.values() for f in each.values() if f.procedure]
    message = f"what procedure {name} does is not known, so what it does with its arguments is not followed"
    builder.say(Code.UNKNOWN_PROCEDURE, message, form.procedure, name, near_name(builder, name, known))


def routine_named(builder: Builder, node: Any, given: int) -> SqlFunction | None:
    """The program of that name which takes as many arguments, the last defined first."""
    name = builder.table_name(node)
    for routine in reversed(builder.session.functions.get(name[-1], {}).values()):
        required = sum(default is None for _, default in routine.parameters)
        fits = required <= given <= len(routine.parameters)
        outer, said = routine.name[:-1], name[:-1]
        same = not outer or not said or outer[-len(said) :] == said[-len(outer) :]
        if routine.effects is not None and fits and same:
            return routine
    return None


class Parameters:
    """The parameters of a routine in a call of it: a column for what each is given, and one for what it is left with."""

    def __init__(self, scope: Scope, routine: SqlFunction, arguments: tuple[Argument, ...], place: Any) -> None:
        self._builder = scope.builder
        self._routine = routine
        row = EntityRow(EntityKind.VARIABLE, "record", None, spelled=".".join(routine.name))
        self._entity = scope.builder.entity(row)
        self._before: dict[int, int] = {}
        self._after: dict[int, dict[str, int]] = {}
        self._records: dict[int, Holder] = {}
        self.given: list[tuple[Argument, int]] = []
        names = {name.lstrip("@").lower(): i for i, (name, _) in enumerate(routine.parameters)}
        for i, argument in enumerate(arguments):
            position = names.get(argument.name.lstrip("@").lower(), i) if argument.name else i
            if position >= len(routine.parameters):
                continue
            self.given.append((argument, position))
            if routine.modes[position] != "out" and isinstance(argument.value, exp.Expr):
                given = record(scope, argument.value)
                if given is not None:
                    self._records[position] = given
                else:
                    flow(scope, argument.value, self._column(self._before, position), IDENTITY)

    def before(self, position: int, name: str) -> int:
        """What a parameter is given; of a record, what a column of it is given."""
        given = self._records.get(position)
        if given is None:
            return self._column(self._before, position)
        if name == PSEUDO_ROWS:
            return given.rows
        return given.value if name.lower() == self._routine.parameters[position][0].lower() else given.claim(name)

    def after(self, position: int, name: str) -> int:
        """What a parameter holds when the routine is done; of a cursor or record, what a column of it holds."""
        columns = self._after.setdefault(position, {})
        if name not in columns:
            columns[name] = self._builder.column(self._entity, name, None)
        return columns[name]

    def give_back(self, position: int, holder: Holder, field: str | None, place: Any) -> None:
        """Let what a parameter is left with go into a variable of the caller."""
        columns = dict(self._after.get(position, {}))
        if field is not None or holder.variable.kind == "scalar":
            target = holder.claim(field) if field is not None else holder.value
            for column in columns.values():
                self._builder.edge(target, column, IDENTITY, place)
            return
        rows = columns.pop(PSEUDO_ROWS, None)
        names = columns_of(self._builder, holder, list(columns))
        for name, column in zip(names, columns.values(), strict=True):
            self._builder.edge(holder.claim(name), column, IDENTITY, place)
        if rows is not None:
            self._builder.edge(holder.rows, rows, FROM_ROWS, None)
        variables = self._builder.session.variables
        if variables is not None and columns:
            variables.opened(holder.variable, names)

    def table(self, end: End) -> TableName:
        """The table of an end; of one that is given as a parameter, the one that the caller gives."""
        assert end.table is not None
        for argument, position in self.given:
            if position == end.parameter and isinstance(argument.value, exp.Parameter):
                return (self._builder.dialect.fold_column(f"@{argument.value.name}", False),)
        return end.table

    def _column(self, known: dict[int, int], position: int) -> int:
        if position not in known:
            name = self._routine.parameters[position][0]
            known[position] = self._builder.column(self._entity, name, None)
        return known[position]


def apply(builder: Builder, routine: SqlFunction, parameters: Parameters, place: Any) -> ResultSet:
    """Let a routine's effects happen; gives the rows that it shows or gives back."""
    result = ResultSet(builder, "function", place if isinstance(place, exp.Expr) else None)
    for name in routine.columns:
        result.add(name, None)
    moved: ResultSet | None = None
    for effect in routine.effects or ():
        target = _target(builder, effect, parameters, result)
        source = _source(builder, effect.source, parameters)
        if target is None or source is None:
            continue
        if effect.source.table is not None and effect.target.table is not None and effect.target.column != PSEUDO_ROWS:
            moved = moved or ResultSet(builder, "function", None)
            value = moved.add(effect.target.column, None)
            builder.edge(target, value, IDENTITY, None)
            target = value
        builder.edge(target, source, code(effect.kind), None)
    if moved is not None:
        moved.complete()
    return result.complete()


def _source(builder: Builder, end: End, parameters: Parameters) -> int | None:
    if end.table is None and end.parameter < 0:
        known = of_session(builder, end.column)
        return None if known is None else held(builder, known).value
    if end.table is None:
        return parameters.before(end.parameter, end.column)
    table = builder.reads(builder.table_named(parameters.table(end)))
    return table.rows if end.column == PSEUDO_ROWS else table.claim(end.column)


def _target(builder: Builder, effect: Effect, parameters: Parameters, result: ResultSet) -> int | None:
    end = effect.target
    if end.kind is EntityKind.RESULT_SET:
        return result.rows if end.column == PSEUDO_ROWS else result.columns.get(end.column)
    if end.table is None and end.parameter < 0:
        known = of_session(builder, end.column, new=True)
        return None if known is None else assigned(builder, known).value
    if end.table is None:
        return parameters.after(end.parameter, end.column)
    table = builder.writes(builder.table_named(parameters.table(end)))
    return table.rows if end.column == PSEUDO_ROWS else table.claim(end.column)


@resolves(RowsOfProcedure)
def rows_of_procedure(builder: Builder, form: RowsOfProcedure, environment: Environment) -> Outcome:
    """`INSERT INTO t (a, b) EXEC p @x`: the rows that the procedure shows are written."""
    table = builder.writes(builder.table(form.target))
    routine = routine_named(builder, form.procedure, len(form.arguments))
    if routine is None or not routine.columns:
        name = ".".join(builder.table_name(form.procedure))
        message = f"what procedure {name} gives is not known, so the columns written have no sources"
        builder.say(Code.UNKNOWN_PROCEDURE, message, form.procedure, name)
        return Outcome("Insert")
    scope = Scope(builder, None, environment)
    result = apply(builder, routine, Parameters(scope, routine, form.arguments, form), form.procedure)
    names = [builder.dialect.column(column) for column in form.columns]
    if names or table.schema is not None:
        write_to_schema(builder, table, names or list(table.schema or ()), result, form.target)
    else:
        write_by_position(builder, table, list(routine.columns), result, form.target)
    return Outcome("Insert")
