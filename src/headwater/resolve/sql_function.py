"""Calls of functions that the script defined: resolved through their bodies, the arguments bound to the parameters.

A body is resolved where it is called, in a scope that holds nothing but its parameters (a macro also sees what its
caller sees, as it is put in the caller's place). An argument flows into its parameter, the body into the call's value
or rows; so an argument that the body does not use is no source. Everything found inside has the place of the call. A
function that calls itself ends at the second time, as an unknown function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.entity import PSEUDO_ROWS, EntityKind
from headwater.model.kind import FROM_ROWS, IDENTITY, code
from headwater.model.resolution import FUNCTIONS, LITERALS, SqlFunction
from headwater.resolve.builder import Builder
from headwater.resolve.call_argument import named, table_argument
from headwater.resolve.field_names import parsed_type, struct_fields, type_fields
from headwater.resolve.flow import flow
from headwater.resolve.from_item import add_derived, alias_columns, alias_name
from headwater.resolve.generator import arguments_of, name_of
from headwater.resolve.handed_on import Handed
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.shape import HandedOn, remember
from headwater.resolve.values import is_default
from headwater.sql.place import Elsewhere

_VALUE = "RETURN"
"""The one column of a program that gives back a value."""
_MOST = 2_000
"""Calls inside bodies that one statement may look into: functions that call each other twice double with every level."""


def expand(scope: Scope, call: Any, target: int, kind: int) -> bool:
    """Let a call's value flow into *target* through the function's body; False if the script did not define it."""
    function = function_of(scope, [], call)
    if function is None:
        return False
    builder = scope.builder
    value = builder.function(call)
    builder.edge(target, value, kind, call)
    if function.effects is not None:
        _apply(scope, function, call, {"": value})
        return True
    inner = bind_parameters(scope, function, call)
    with inside_body(builder, function, inner, call):
        flow(inner, function.body, value, IDENTITY)
    return True


def expand_in_from(scope: Scope, node: Any, qualifier: list[Any], call: Any) -> bool:
    """Put the rows of a call in FROM into the scope; False if the script did not define the function."""
    if not scope.builder.session.functions:
        return False
    function = function_of(scope, qualifier, call)
    if function is None:
        return False
    builder = scope.builder
    alias = alias_name(scope, node)
    if function.effects is not None:
        listed = () if function.columns == (_VALUE,) else function.columns
        result = _rows_of_program(scope, function, call, listed or (alias or function.name[-1],))
    else:
        inner = bind_parameters(scope, function, call)
        with inside_body(builder, function, inner, call):
            result = body_rows(inner, function, call)
        names = list(function.columns)
        if not names and not is_query(function.body):
            names = [alias or function.name[-1]]
        if names:
            result = declared_rows(result, names, call)
    result.row.alias = alias
    add_derived(scope, node, result)
    if alias is None and not alias_columns(scope, node):
        scope.items[-1].name = function.name[-1]
        scope.by_name.setdefault(function.name[-1], scope.items[-1])
    return True


def program_rows(scope: Scope, node: Any) -> ResultSet | None:
    """The cursor or record that a program gives back, as rows: `rc := rows_of(1)`; None if a value is none."""
    qualifier, call = _taken_apart(node)
    if not isinstance(call, exp.Anonymous) or not scope.builder.session.functions:
        return None
    function = function_of(scope, qualifier, call)
    if function is None or function.effects is None or not function.columns or function.columns == (_VALUE,):
        return None
    return _rows_of_program(scope, function, call, function.columns)


def _rows_of_program(scope: Scope, function: SqlFunction, call: Any, names: Sequence[str]) -> ResultSet:
    result = ResultSet(scope.builder, "function", call)
    made = {name: result.add(name, call) for name in names}
    _apply(scope, function, call, {**made, "": next(iter(made.values())), PSEUDO_ROWS: result.rows})
    return result.complete()


def _taken_apart(node: Any) -> tuple[list[Any], Any]:
    """The names before a call, and the call itself: `pkg.f(x)`."""
    qualifier: list[Any] = []
    while isinstance(node, exp.Dot):
        qualifier.append(node.this)
        node = node.expression
    return qualifier, node


def called_without_brackets(scope: Scope, node: Any) -> Any:
    """PL/SQL's `x := f;`: a call of a function without arguments; any other value as it is."""
    if (
        scope.dialect.family != "oracle"
        or not isinstance(node, exp.Column)
        or not isinstance(node.this, exp.Identifier)
    ):
        return node
    name, qualifier = node.this, node.args.get("table")
    namesakes = scope.builder.session.functions.get(scope.dialect.table(name), {})
    variables = scope.builder.session.variables
    first = scope.dialect.column(qualifier if qualifier is not None else name)
    if not any(f.effects is not None and not f.procedure and _accepts(f, 0) for f in namesakes.values()):
        return node
    if variables is not None and (variables.visible(first) is not None and qualifier is None):
        return node
    call = exp.Anonymous(this=name.name, expressions=[])
    call.update_positions(name)
    return call if qualifier is None else exp.Dot(this=qualifier.copy(), expression=call)


def declared_columns(scope: Scope, qualifier: list[Any], call: Any) -> list[str]:
    """The columns that the script declared for a function that only the engine can look into."""
    if not scope.builder.session.functions:
        return []
    return next((list(f.columns) for f in _namesakes(scope, qualifier, call) if f.columns), [])


def _apply(scope: Scope, function: SqlFunction, call: Any, made: dict[str, int]) -> None:
    """Let what a program gives back flow into columns, by their names; what has no name of its own goes by none."""
    builder = scope.builder
    inner = bind_parameters(scope, function, call)
    parameters = [column for _, column in inner.items[0].owner.star()]
    for source, target, kind in function.effects or ():
        column = made.get(target.column, made.get("" if target.column != PSEUDO_ROWS else "-"))
        if target.table is not None:
            written = builder.writes(builder.table_named(target.table))
            column = written.rows if target.column == PSEUDO_ROWS else written.claim(target.column)
        elif target.kind is not EntityKind.RESULT_SET or column is None:
            continue
        if source.table is None and source.parameter < 0:
            continue  # a variable of the session
        if source.table is None:
            origin = parameters[source.parameter]
        else:
            table = builder.reads(builder.table_named(source.table))
            origin = table.rows if source.column == PSEUDO_ROWS else table.claim(source.column)
        builder.edge(column, origin, code(kind), call)


def body_rows(inner: Scope, function: SqlFunction, call: Any) -> ResultSet:
    """The rows that a body gives: a query's, or the one row of an expression."""
    if is_query(function.body):
        return query(inner.builder, function.body, inner, inner.environment, "function")
    result = ResultSet(inner.builder, "function", call)
    flow(inner, function.body, result.add(function.name[-1], call), IDENTITY)
    return result.complete()


def declared_rows(result: ResultSet, names: list[str], call: Any) -> ResultSet:
    """A body's rows under the declared names, by position; behind an open star nobody knows which column is which."""
    if not result.open:
        result.rename(names)
        return result
    declared = ResultSet(result.builder, "function", call)
    result.builder.edge(declared.rows, result.rows, FROM_ROWS, None)
    star = next((i for i, (name, _) in enumerate(result.outputs) if name == "*"), 0)
    for i, name in enumerate(names):
        result.builder.edge(declared.add(name, call), result.outputs[min(i, star)][1], IDENTITY, call)
    return declared.complete()


def function_of(scope: Scope, qualifier: list[Any], call: Any) -> SqlFunction | None:
    """The function that a call means, if the script defined it and its body can be looked into."""
    given = len(arguments_of(call))
    for function in _namesakes(scope, qualifier, call):
        if function.body is not None and _accepts(function, given):
            return function if _may_expand(scope.builder, function, call) else None
        callable = not function.procedure or (scope.dialect.family == "snowflake" and bool(function.columns))
        if function.effects is not None and callable and _accepts(function, given):
            return function
    return None


def aggregates(scope: Scope, call: Any) -> bool:
    """Whether a call is one of an aggregate that the script defined."""
    return any(function.aggregates for function in _namesakes(scope, [], call))


def _namesakes(scope: Scope, qualifier: list[Any], call: Any) -> Iterator[SqlFunction]:
    """The functions that a call may mean, the last defined first."""
    parts = tuple(scope.dialect.table(q) for q in qualifier if isinstance(q, exp.Identifier))
    for function in reversed(scope.builder.session.functions.get(_folded_name(scope, call), {}).values()):
        outer = function.name[:-1]
        if not parts or not outer or parts[-len(outer) :] == outer[-len(parts) :]:
            yield function


def _folded_name(scope: Scope, call: Any) -> str:
    name = str(call.this) if isinstance(call, exp.Anonymous) else scope.builder.places.function_name(call)
    return (scope.dialect.fold_table or scope.dialect.fold_column)(name, False)


def _accepts(function: SqlFunction, given: int) -> bool:
    required = sum(default is None for _, default in function.parameters)
    return required <= given <= len(function.parameters)


def _may_expand(builder: Builder, function: SqlFunction, call: Any) -> bool:
    if any(function is each for each in builder.expanding):
        return False
    builder.expanded += bool(builder.expanding)
    if builder.expanded <= _MOST:
        return True
    message = f"functions that call functions more than {_MOST} times; the rest are taken for those of any function"
    builder.say(Code.UNSUPPORTED_CONSTRUCT, message, call, "functions")
    return False


def bind_parameters(scope: Scope, function: SqlFunction, call: Any) -> Scope:
    """The scope of a body: its parameters, each with its argument or default flowing into it."""
    builder = scope.builder
    macro = scope.dialect.family == "duckdb"
    inner = Scope(builder, scope if macro else None, Environment(), scope.rows)
    inner.aggregates, inner.counts = scope.aggregates, scope.counts
    parameters = ResultSet(builder, "function", call)
    given = _arguments(scope, function, call)
    for position, (name, default) in enumerate(function.parameters):
        column = parameters.add(name or f"${position + 1}", call)
        argument = given.get(position)
        value = default if argument is None else argument
        table = table_argument(argument) if argument is not None else None
        if table is not None:
            inner.environment.ctes[name] = _handed_over(scope, table)
        elif value is not None:
            outer = scope if argument is not None else inner
            flow(outer, value, column, IDENTITY)
            _know_fields(outer, value, column, parsed_type(builder, "".join(function.types[position : position + 1])))
    own = function.name[-1]
    inner.add(None if own in parameters.columns else own, parameters.complete())
    return inner


def _know_fields(scope: Scope, value: Any, column: int, declared: Any) -> None:
    """Let a parameter have the fields of its argument; those of a declared type are the argument's by their position, as in a cast."""
    builder = scope.builder
    passed = builder.edges[-1][1] if isinstance(value, exp.Column) and builder.edges[-1][0] == column else None
    names = type_fields(builder, declared)
    if passed is not None and (not names or struct_fields(builder, passed) in ([], names)):
        builder.origins[column] = passed
    elif not names:
        remember(scope, value, column)
    elif isinstance(value, exp.Struct):
        remember(scope, exp.Cast(this=value.copy(), to=declared), column)
    else:
        builder.structs[column] = HandedOn(scope, value, Handed([(value, IDENTITY)], type=declared))


def _handed_over(scope: Scope, node: Any) -> ResultSet:
    """A whole table as an argument: in the body it goes by the parameter's name."""
    return query(scope.builder, node, scope, scope.environment)


def _arguments(scope: Scope, function: SqlFunction, call: Any) -> dict[int, Any]:
    """Arguments by the position of their parameter: by name where they have one."""
    positions = {name.lstrip("@").lower(): i for i, (name, _) in enumerate(function.parameters)}
    given: dict[int, Any] = {}
    for i, argument in enumerate(arguments_of(call)):
        name, value = named(scope, argument)
        if is_default(value):
            continue
        if name and name in positions:
            given[positions[name]] = value
        else:
            given[i] = argument if name else value
    return given


@contextmanager
def inside_body(builder: Builder, function: SqlFunction, inner: Scope, call: Any) -> Iterator[None]:
    """Resolve a body: its parameters are in reach, and what is found there is placed at the call."""
    before = builder.parameters
    builder.parameters = _by_name(builder, function, inner)
    builder.expanding.append(function)
    columns, edges, entities = len(builder.columns), len(builder.edges), len(builder.entities)
    said = len(builder.diagnostics)
    try:
        yield
    finally:
        builder.expanding.pop()
        builder.parameters = before
    _place(builder, call, columns, edges, entities, said)


def _by_name(builder: Builder, function: SqlFunction, inner: Scope) -> dict[str, int]:
    owner = inner.items[0].owner
    names = dict(owner.star())
    if builder.dialect.family in ("postgres", "redshift"):
        names.update((f"${i}", column) for i, (_, column) in enumerate(owner.star(), 1))
    return names


def _place(builder: Builder, call: Any, columns: int, edges: int, entities: int, said: int) -> None:
    for i in range(columns, len(builder.columns)):
        entity, name, place = builder.columns[i]
        if entity in (LITERALS, FUNCTIONS) and isinstance(place, exp.Expr):
            text = place.meta.get("shown", place.key) if entity == LITERALS else name_of(place) or place.key
            builder.columns[i] = (entity, name, Elsewhere(text, call))
        elif place is not None and not isinstance(place, Elsewhere):
            builder.columns[i] = (entity, name, call)
    builder.edges[edges:] = [
        (target, source, kind, call if place is not None else None)
        for target, source, kind, place in builder.edges[edges:]
    ]
    for row in builder.entities[entities:]:
        row.place = call
    span = builder.places.span(call)
    builder.diagnostics[said:] = [replace(d, span=span) for d in builder.diagnostics[said:]]
