"""Calls of procedures: arguments go into parameters, what the procedure does with these is applied, out parameters come back."""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.entity import PSEUDO_ROWS, EntityKind
from headwater.model.kind import IDENTITY, code
from headwater.model.resolution import Effect, End, EntityRow, SqlFunction
from headwater.resolve.builder import Builder
from headwater.resolve.flow import flow
from headwater.resolve.iceberg_procedure import iceberg_procedure
from headwater.resolve.last_result import keep_result
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.statement import Outcome, resolves
from headwater.resolve.suggestion import near_name
from headwater.resolve.variable import assigned, held, of_session, target_of
from headwater.resolve.write import write_by_position, write_to_schema
from headwater.sql.form import Argument, RowsOfProcedure
from headwater.sql.procedural.form import Call

_SYSTEM = ("dbms_", "utl_", "sp_", "xp_", "system$", "sys.", "dbc.", "raise_application_error", "apex_", "pg_")
"""How procedures of the database itself are called, which move no data of anybody's tables."""

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
    for argument, position in parameters.given:
        if argument.out is not None and routine.modes[position] != "in":
            holder, field = target_of(scope, argument.out)
            column = holder.claim(field) if field is not None else holder.value
            builder.edge(column, parameters.after(position), IDENTITY, argument.out.place)
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
        self._after: dict[int, int] = {}
        self.given: list[tuple[Argument, int]] = []
        names = {name.lstrip("@").lower(): i for i, (name, _) in enumerate(routine.parameters)}
        for i, argument in enumerate(arguments):
            position = names.get(argument.name.lstrip("@").lower(), i) if argument.name else i
            if position >= len(routine.parameters):
                continue
            self.given.append((argument, position))
            if routine.modes[position] != "out" and isinstance(argument.value, exp.Expr):
                flow(scope, argument.value, self.before(position), IDENTITY)

    def before(self, position: int) -> int:
        """What a parameter is given."""
        return self._column(self._before, position)

    def after(self, position: int) -> int:
        """What a parameter holds when the routine is done."""
        return self._column(self._after, position)

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
    for effect in routine.effects or ():
        target = _target(builder, effect, parameters, result)
        source = _source(builder, effect.source, parameters)
        if target is not None and source is not None:
            builder.edge(target, source, code(effect.kind), None)
    return result.complete()


def _source(builder: Builder, end: End, parameters: Parameters) -> int | None:
    if end.table is None and end.parameter < 0:
        known = of_session(builder, end.column)
        return None if known is None else held(builder, known).value
    if end.table is None:
        return parameters.before(end.parameter)
    table = builder.reads(builder.table_named(end.table))
    return table.rows if end.column == PSEUDO_ROWS else table.claim(end.column)


def _target(builder: Builder, effect: Effect, parameters: Parameters, result: ResultSet) -> int | None:
    end = effect.target
    if end.kind is EntityKind.RESULT_SET:
        return result.rows if end.column == PSEUDO_ROWS else result.columns.get(end.column)
    if end.table is None and end.parameter < 0:
        known = of_session(builder, end.column, new=True)
        return None if known is None else assigned(builder, known).value
    if end.table is None:
        return parameters.after(end.parameter)
    table = builder.writes(builder.table_named(end.table))
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
