"""Values into variables: assignments, and what a statement gives back INTO variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import AGGREGATE_ROWS, FROM_ROWS, IDENTITY, WHERE
from headwater.model.resolution import Variable
from headwater.model.span import Span
from headwater.resolve.builder import Builder
from headwater.resolve.collection import constructed, record, spread
from headwater.resolve.field import field_of
from headwater.resolve.flow import flow, handles, make
from headwater.resolve.last_result import keep_id
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.shape import Built, known_value, shape_of
from headwater.resolve.sql_function import called_without_brackets, program_rows
from headwater.resolve.statement import Outcome, resolves, run
from headwater.resolve.variable import Holder, assigned, columns_of, found, held, target_of
from headwater.sql.procedural.form import Assign, Condition, Fetch, IntoVariables, Query, Target

_FETCH_STATUS = "@@fetch_status"


@resolves(Assign)
def assign(builder: Builder, form: Assign, environment: Environment) -> Outcome:
    """`v := a + 1`, `SET (x, y) = (1, 2)`, `r := q`."""
    scope = Scope(builder, None, environment)
    value = _inner(form.value)
    if len(form.targets) > 1 and isinstance(value, exp.Tuple) and len(value.expressions) == len(form.targets):
        for target, each in zip(form.targets, value.expressions, strict=True):
            _give(scope, target, each)
    elif len(form.targets) > 1 and is_query(value):
        take_rows(scope, query(builder, value, None, environment), form.targets, value)
    else:
        for target in form.targets:
            _give(scope, target, form.value)
    return Outcome(form.type)


def _inner(node: Any) -> Any:
    while isinstance(node, (exp.Paren, exp.Subquery)) and not node.args.get("with_") and not node.args.get("limit"):
        node = node.this
    return node


def _give(scope: Scope, target: Target, value: Any) -> None:
    holder, field = target_of(scope, target)
    whole = holder.variable.kind in ("record", "cursor") and field is None
    value = called_without_brackets(scope, value)
    source = record(scope, value) if whole else None
    if source is not None:
        _copy(scope.builder, source, holder, target.place)
        if target.partly:
            _keep(scope.builder, holder, [name for name, _ in source.star()])
        return
    if whole and is_query(_inner(value)):
        rows = query(scope.builder, spread(scope, holder, _inner(value)), None, scope.environment)
        fill(scope.builder, holder, rows, target.place, by_row=holder.variable.kind == "record")
        return
    given_back = program_rows(scope, value) if whole else None
    if given_back is not None:
        fill(scope.builder, holder, given_back, target.place)
        return
    members = constructed(scope, holder, value) if whole and not target.partly else None
    if members is not None:
        for name, each in members:
            make(scope, each, holder.claim(name))
        scope.builder.seen_at(holder.rows, target.place)
        return
    if whole and not target.partly and _give_members(scope, holder, value, target.place):
        return
    if scope.dialect.family == "snowflake" and not whole:
        keep_id(scope, holder, value)
    column = holder.claim(field) if field is not None else holder.value
    scope.builder.seen_at(column, target.place)
    make(scope, value, column)
    _write_changed(scope.builder, holder, field, column, target.place)
    if target.partly:
        scope.builder.edge(column, _before(scope.builder, holder, field), IDENTITY, target.place)
    for index in target.indexes:
        flow(scope, index, column, WHERE)
    if target.partly and holder.is_collection:
        _keep(scope.builder, holder, [])


def _give_members(scope: Scope, holder: Holder, value: Any, place: Any) -> bool:
    """Fill a record field by field from a struct under construction, `r := addr_t(a, b)`; False for any other value."""
    shape = shape_of(scope, value)
    struct = known_value(scope, value) if isinstance(shape, Built) and shape.members else None
    if struct is None or shape is None:
        return False
    names = columns_of(scope.builder, holder, shape.members)
    for name, member in zip(names, shape.members, strict=True):
        scope.builder.edge(holder.claim(name), field_of(scope.builder, struct, member), IDENTITY, place)
    _shape(scope.builder, holder.variable, names)
    return True


def _keep(builder: Builder, holder: Holder, names: Sequence[str]) -> None:
    """An element is added to a collection: the others stay."""
    before = held(builder, holder.variable)
    for name in names:
        builder.edge(holder.claim(name), before.claim(name), IDENTITY, None)
    builder.edge(holder.rows, before.rows, FROM_ROWS, None)


@handles(exp.PropertyEQ)
def assigned_on_the_way(scope: Scope, node: Any, target: int, kind: int) -> None:
    """MySQL's `SELECT @v := a FROM t`: a value that goes into a variable, too; any other `name := value` is just that value."""
    left, value = node.this, node.expression
    if isinstance(left, exp.Parameter) and scope.builder.session.variables is not None:
        part = exp.to_identifier(f"@{left.name}")
        holder, _ = target_of(scope, Target((part,), scope.builder.places.span(left) or Span(0, 0)))
        flow(scope, value, holder.value, IDENTITY)
        if scope.rows >= 0:
            scope.builder.edge(holder.value, scope.rows, WHERE, node)
    flow(scope, value, target, kind)
    if not isinstance(left, (exp.Parameter, exp.Identifier, exp.Var)):
        flow(scope, left, target, kind)


def _write_changed(builder: Builder, holder: Holder, field: str | None, column: int, place: Any) -> None:
    """`NEW.a := x` in a trigger writes the table's own column."""
    variables = builder.session.variables
    table = variables.changed.get(holder.variable.number) if variables is not None else None
    if table is not None and field is not None:
        written = builder.writes(builder.table_named(table))
        builder.edge(written.claim(field), column, IDENTITY, place)


def _before(builder: Builder, holder: Holder, field: str | None) -> int:
    """What a variable held before."""
    before = held(builder, holder.variable)
    return before.claim(field) if field is not None else before.value


def _copy(builder: Builder, source: Holder, target: Holder, place: Any) -> None:
    """One record becomes another: by position where both are known, else under the names of the one that is."""
    given = source.star()
    names = columns_of(builder, target, [name for name, _ in given])
    for name, (_, column) in zip(names, given, strict=False):
        builder.edge(target.claim(name), column, IDENTITY, place)
    builder.edge(target.rows, source.rows, FROM_ROWS, None)
    _shape(builder, target.variable, names)


def _shape(builder: Builder, variable: Variable, names: Sequence[str]) -> None:
    """Remember the columns of a cursor or record, unless they are known or nobody knows them."""
    variables = builder.session.variables
    assert variables is not None
    variables.opened(variable, names)


@resolves(IntoVariables)
def into_variables(builder: Builder, form: IntoVariables, environment: Environment) -> Outcome:
    """`SELECT a, b INTO v, w FROM t`: like a scalar subquery, its rows decide whether there is a value."""
    scope = Scope(builder, None, environment)
    statement = form.statement
    if len(form.targets) == 1 and isinstance(statement, exp.Select):
        holder, field = target_of(scope, form.targets[0])
        statement = statement if field is not None else spread(scope, holder, statement)
    outcome = run(builder, statement, environment)
    if outcome.result is not None:
        if form.targets:
            take_rows(scope, outcome.result, form.targets, form.statement, form.bulk)
        tell_found(builder, outcome.result.rows)
    return Outcome(outcome.type, None, outcome.effect)


def tell_found(builder: Builder, rows: int) -> None:
    """PL/pgSQL's FOUND says whether a statement met a row; elsewhere a handler is told."""
    variables = builder.session.variables
    told = found(variables) if variables is not None else None
    if told is not None:
        builder.edge(assigned(builder, told).value, rows, WHERE, None)


def take_rows(scope: Scope, result: ResultSet, targets: Sequence[Target], node: Any, bulk: bool = False) -> None:
    """Let a query's columns go into variables, by position; into the fields of a record, if there is just that."""
    builder = scope.builder
    outputs = result.by_position().outputs
    if len(targets) == 1:
        holder, field = target_of(scope, targets[0])
        if holder.variable.kind in ("record", "cursor") and field is None:
            fill(builder, holder, result, targets[0].place, by_row=True)
            return
    if len(outputs) != len(targets) and not result.open:
        message = f"{len(outputs)} columns go into {len(targets)} variables"
        builder.say(Code.SCHEMA_MISMATCH, message, node, "INTO")
    for i, target in enumerate(targets):
        if i < len(outputs) or result.open:
            holder, field = target_of(scope, target)
            column = holder.claim(field) if field is not None else holder.value
            builder.seen_at(column, target.place)
            builder.edge(column, outputs[min(i, len(outputs) - 1)][1], IDENTITY, target.place)
            builder.edge(column, result.rows, WHERE, target.place)
            if bulk:
                _collect(builder, holder, result.rows)
            _write_changed(builder, holder, field, column, target.place)
            if target.partly:
                builder.edge(column, _before(builder, holder, field), IDENTITY, target.place)


def _collect(builder: Builder, holder: Holder, rows: int) -> None:
    """All rows become elements: the variable is a collection, whatever its type is called."""
    builder.session.variables.collections.add(holder.variable.number)  # type: ignore[union-attr]
    builder.edge(holder.rows, rows, FROM_ROWS, None)


def fill(builder: Builder, holder: Holder, result: ResultSet, place: Any, by_row: bool = False) -> None:
    """Let a query's columns be those of a cursor or record; *by_row* where which row it is decides over the values."""
    given = [name for name, _ in result.outputs]
    if (
        holder.variable.kind == "record"
        and not holder.open
        and len(given) == 1 < len(holder.listed)
        and not result.open
    ):
        _fill_fields(builder, holder, result, place, by_row)
        return
    names = columns_of(builder, holder, given)
    for name, (_, column) in zip(names, result.outputs, strict=True):
        builder.edge(holder.claim(name), column, IDENTITY, place)
        if by_row:
            builder.edge(holder.claim(name), result.rows, WHERE, place)
    builder.edge(holder.rows, result.rows, FROM_ROWS, None)
    _shape(builder, holder.variable, names)


def _fill_fields(builder: Builder, holder: Holder, result: ResultSet, place: Any, by_row: bool) -> None:
    """A query's only column is a struct: its fields are those of the record."""
    ((_, whole),) = result.outputs
    for name in list(holder.listed):
        builder.edge(holder.claim(name), field_of(builder, whole, name), IDENTITY, place)
        if by_row:
            builder.edge(holder.claim(name), result.rows, WHERE, place)
    builder.edge(holder.rows, result.rows, FROM_ROWS, None)


@resolves(Query)
def cursor_query(builder: Builder, form: Query, environment: Environment) -> Outcome:
    """`OPEN c FOR SELECT …`, `FOR r IN (SELECT …) LOOP`: the columns of the query are those of the cursor."""
    scope = Scope(builder, None, environment)
    result = query(builder, form.query, None, environment)
    holder, _ = target_of(scope, form.cursor)
    fill(builder, holder, result, form.cursor.place)
    return Outcome(form.type, effect="cursor")


@resolves(Fetch)
def fetch(builder: Builder, form: Fetch, environment: Environment) -> Outcome:
    """`FETCH c INTO a, b`: by position; into a record under the cursor's names, unless the record has its own."""
    scope = Scope(builder, None, environment)
    cursor = _cursor(scope, form.cursor)
    if scope.dialect.family == "tsql":
        builder.edge(_fetch_status(builder).value, cursor.rows, AGGREGATE_ROWS, form.cursor.place)
    given = cursor.star()
    if form.type != "For":
        tell_found(builder, cursor.rows)
    single = target_of(scope, form.targets[0]) if len(form.targets) == 1 else None
    if single is not None and single[0].variable.kind in ("record", "cursor") and single[1] is None:
        holder = single[0]
        names = columns_of(builder, holder, [name for name, _ in given])
        for name, (_, column) in zip(names, given, strict=True):
            builder.edge(holder.claim(name), column, IDENTITY, form.targets[0].place)
            if form.type != "For":  # the row set of a loop decides already
                builder.edge(holder.claim(name), cursor.rows, WHERE, form.targets[0].place)
        if holder.open:
            _take_other_names(builder, holder, cursor, names, form)
        builder.edge(holder.rows, cursor.rows, FROM_ROWS, None)
        _shape(builder, holder.variable, names)
    else:
        for i, target in enumerate(form.targets):
            holder, field = target_of(scope, target)
            column = holder.claim(field) if field is not None else holder.value
            builder.seen_at(column, target.place)
            if i < len(given) or cursor.open:
                builder.edge(column, given[min(i, len(given) - 1)][1], IDENTITY, target.place)
            builder.edge(column, cursor.rows, WHERE, target.place)
            if form.bulk:
                _collect(builder, holder, cursor.rows)
    return Outcome(form.type, effect="cursor")


def _take_other_names(builder: Builder, holder: Holder, cursor: Holder, names: Sequence[str], form: Fetch) -> None:
    """A cursor that several queries open: a record without columns of its own has the names of all of them."""
    variables = builder.session.variables
    assert variables is not None
    shapes = variables.alternatives.get(cursor.variable.number, ())
    others = dict.fromkeys(name for shape in shapes for name in shape if name not in names)
    for name in others:
        builder.edge(holder.claim(name), cursor.claim(name), IDENTITY, form.targets[0].place)
        if form.type != "For":
            builder.edge(holder.claim(name), cursor.rows, WHERE, form.targets[0].place)


def _fetch_status(builder: Builder) -> Holder:
    """T-SQL's @@FETCH_STATUS, which every FETCH sets: whether the cursor had one more row."""
    variables = builder.session.variables
    assert variables is not None
    found = variables.find(_FETCH_STATUS) or variables.outermost().add(_FETCH_STATUS, "scalar", None)
    return assigned(builder, found)


def _cursor(scope: Scope, target: Target) -> Holder:
    """The cursor that is read; a diagnostic names one that is declared nowhere."""
    variables = scope.builder.session.variables
    assert variables is not None
    found = variables.find(scope.dialect.column(target.parts[-1]))
    name = target.parts[-1].name
    if found is None:
        found = variables.outermost().add(name, "cursor", target.place)
        variables.undeclared.add(found.number)
    if found.number in variables.undeclared:
        message = f"the query of cursor {name} is not known here, so the columns of its rows are not followed"
        scope.builder.say(Code.UNRESOLVED_COLUMN, message, target.place, name)
    return held(scope.builder, found, target.place)


@resolves(Condition)
def condition(builder: Builder, form: Condition, environment: Environment) -> Outcome:
    """What a condition reads decides over the steps that it guards."""
    scope = Scope(builder, None, environment)
    variables = builder.session.variables
    assert variables is not None
    if builder.session.changed and any(
        call.name.upper() == "UPDATE" for call in form.expression.find_all(exp.Anonymous)
    ):
        for name, table in builder.session.changed.items():
            scope.add(name, builder.reads(builder.table(table)))
    place = builder.places.span(form.expression) or builder.places.statement
    decided = assigned(builder, variables.deciding(form.type, place))
    flow(scope, form.expression, decided.value, IDENTITY)
    return Outcome(form.type)
