"""Structs, arrays, maps and lambdas: construction and access, down to the field."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from sqlglot import exp

from headwater.model.kind import TRANSFORMATION, candidate, under_operator
from headwater.resolve.bind import dotted, find_item, search
from headwater.resolve.collection import element
from headwater.resolve.document_path import flow_path
from headwater.resolve.field import field_of, fill
from headwater.resolve.field_names import struct_fields
from headwater.resolve.flow import flow, handles, push_children
from headwater.resolve.function import call, called
from headwater.resolve.handed_on import handed_on
from headwater.resolve.method_base import with_columns
from headwater.resolve.position import position
from headwater.resolve.row_value import row_of_item
from headwater.resolve.scope import Scope
from headwater.resolve.shape import HandedOn, key_field, known_value, value_of
from headwater.resolve.struct_path import missing_field, struct_path
from headwater.resolve.variable import is_record


@handles(exp.Dot)
def dot(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`base.x.y`: the field alone where the base is a struct we know, else the whole base."""
    base, path, enclosed = _unwound(node)
    base = _row_named(scope, base) or base
    if element(scope, (base, *path), target, kind):
        return
    names = [scope.dialect.column(i) for i in path if isinstance(i, exp.Identifier)]
    if any(isinstance(step, exp.Literal) for step in path):
        _numbered_element(scope, base, path, target, kind, node)
        return
    if len(names) != len(path):
        _method_calls(scope, base, path, target, kind)
        return
    named = isinstance(base, exp.Column) and isinstance(base.this, exp.Identifier)
    if named and (not enclosed or is_record(scope.builder, scope.dialect.column(base.this))):
        identifiers = [base.args[k] for k in ("catalog", "db", "table", "this") if base.args.get(k) is not None]
        found = dotted(scope, identifiers + path, node)
        if isinstance(found, int):
            scope.edges.append((target, found, kind, node))
        else:
            for column in found or ():
                scope.edges.append((target, column, candidate(kind), node))
        return
    value = _parameter(scope, base) if isinstance(base, exp.Identifier) else value_of(scope, base)
    if value is not None:
        scope.edges.append((target, struct_path(scope, value, names, node), kind, node))


@called("value")
@called("ref")
def row_object(scope: Scope, node: Any, target: int, kind: int) -> None:
    """Oracle's `VALUE(x)` and `REF(x)`: the whole row of the FROM item x."""
    alias = _row_named(scope, node)
    row = row_of_item(scope, scope.dialect.column(alias.this)) if alias is not None else None
    if row is None:
        call(scope, node, target, kind)
    else:
        scope.edges.append((target, row, kind, node))


def _row_named(scope: Scope, node: Any) -> Any:
    """The name of the FROM item whose row Oracle's `VALUE(x)` or `REF(x)` is; None for any other node."""
    if node.__class__ is not exp.Anonymous or scope.dialect.family != "oracle" or len(node.expressions) != 1:
        return None
    (alias,) = node.expressions
    is_row = str(node.this).lower() in ("value", "ref") and isinstance(alias, exp.Column) and len(alias.parts) == 1
    return alias if is_row else None


@handles(exp.RangeN)
def range_n(scope: Scope, node: Any, target: int, kind: int) -> None:
    """Teradata's `RANGE_N(a BETWEEN 1 AND 9 EACH 1)`, whose column is a bare name to the grammar."""
    call(scope, with_columns(node), target, kind)


@handles(exp.Identifier)
def parameter(scope: Scope, node: Any, target: int, kind: int) -> None:
    """A lambda's parameter: the elements that it stands for, if that is known."""
    column = _parameter(scope, node) if scope.builder.lambdas else None
    if column is not None:
        fill(scope.builder, column)
        scope.edges.append((target, column, under_operator(kind), node))


def _parameter(scope: Scope, node: Any) -> int | None:
    return scope.builder.lambdas.get(scope.dialect.column(node))


_BUILT_IN_SCHEMAS = frozenset({"main", "temp", "system", "pg_catalog", "information_schema"})
"""Schemas that every DuckDB database has: what follows them is a call, and they are no column."""


def _numbered_element(scope: Scope, base: Any, path: list[Any], target: int, kind: int, place: Any) -> None:
    """ClickHouse's `(a, b).2` is b; an element of something whose elements are not known is made of the whole."""
    builder = scope.builder
    parameter = _parameter(scope, base) if isinstance(base, exp.Identifier) else None
    column = value_of(scope, base) if parameter is None else parameter
    for step in path:
        names = struct_fields(builder, column)
        number = position(step)
        if number is None or not 0 < number <= len(names):
            if names and number is not None:
                scope.edges.append((target, missing_field(scope, column, str(number), place), kind, place))
                return
            fill(builder, column)
            scope.edges.append((target, column, under_operator(kind), place))
            return
        column = field_of(builder, column, names[number - 1])
    scope.edges.append((target, column, kind, place))


def _method_calls(scope: Scope, base: Any, path: list[Any], target: int, kind: int) -> None:
    """`schema.f(x)` is a call of f; DuckDB's `a.f().g(b)` hands a through f and g."""
    if isinstance(path[-1], exp.Star):
        flow(scope, base, target, under_operator(kind))
        return
    if _field_of_call(scope, path, target, kind):
        return
    if not isinstance(base, exp.Identifier):
        base = with_columns(base)
    calls = [step for step in path if not isinstance(step, exp.Identifier)]
    calls = [*map(with_columns, calls[:-1]), calls[-1]]
    chained = scope.dialect.family == "duckdb" and base.name.lower() not in _BUILT_IN_SCHEMAS
    row = _row_before_method(scope, base, path) if scope.dialect.family == "oracle" else None
    owner = None if chained or row is not None else _method_owner(scope, base, path)
    if row is not None:
        scope.edges.append((target, row, under_operator(kind), path[0]))
    if owner is not None:
        flow(scope, owner, target, under_operator(kind))
    if chained and isinstance(base, exp.Identifier):
        base = _named([base, *takewhile(lambda step: isinstance(step, exp.Identifier), path)])
    if chained and isinstance(base, exp.Expr):
        flow(scope, base, target, under_operator(kind))
    for each in calls if chained else calls[-1:]:
        flow(scope, each, target, kind)


def _row_before_method(scope: Scope, base: Any, path: list[Any]) -> int | None:
    """The row of an object table before Oracle's `t.get_total()`; None where the name is a package's or a schema's."""
    if not isinstance(base, exp.Identifier) or isinstance(path[0], exp.Identifier):
        return None
    return row_of_item(scope, scope.dialect.column(base))


def _field_of_call(scope: Scope, path: list[Any], target: int, kind: int) -> bool:
    """`schema.f(x).a`: the field of what f gives back, where that is known."""
    last = max(i for i, step in enumerate(path) if not isinstance(step, exp.Identifier))
    fields = [scope.dialect.column(step) for step in path[last + 1 :]]
    value = known_value(scope, path[last]) if fields else None
    if value is None:
        return False
    scope.edges.append((target, struct_path(scope, value, fields, path[last]), kind, path[last]))
    return True


def _named(identifiers: list[Any]) -> Any:
    """The node of `a`, `t.a` or `t.a.b`."""
    if len(identifiers) == 1:
        return exp.Column(this=identifiers[0])
    column: exp.Expr = exp.Column(this=identifiers[1], table=identifiers[0])
    for field in identifiers[2:]:
        column = exp.Dot(this=column, expression=field)
    return column


_METHODS = {
    "tsql": frozenset(
        {"value", "query", "exist", "nodes", "tostring", "getancestor", "getdescendant", "getlevel", "isdescendantof"}
        | {"getreparentedvalue", "makevalid", "reduce", "bufferwithtolerance", "numrings", "ringn", "instanceof"}
    ),
    "teradata": frozenset({"jsonextract", "jsonextractvalue", "jsonextractlargevalue", "existvalue", "combine"}),
}
"""Methods of the engines' own types: what stands before one is a value, never a schema."""


def _method_owner(scope: Scope, base: Any, path: list[Any]) -> Any:
    """The column before a method call, `n.c.value('@id', 'int')`; None where the names are those of a schema."""
    names = []
    for step in [base, *path]:
        if not isinstance(step, exp.Identifier):
            break
        names.append(step)
    if not names:
        return None if isinstance(base, exp.Identifier) else base
    of_item = len(names) > 1 and find_item(scope, (scope.dialect.column(names[0]),)) is not None
    of_item = of_item or (len(names) == 1 and _is_object(scope, names[0]))
    method = path[len(names) - 1] if isinstance(base, exp.Identifier) else path[0]
    if not of_item and not (isinstance(method, exp.Anonymous) and _is_method(scope, str(method.this))):
        return None
    keys = ("this", "table", "db", "catalog")
    return exp.Column(**dict(zip(keys, reversed([n.copy() for n in names]), strict=False)))


def _is_object(scope: Scope, name: Any) -> bool:
    """Whether a name before a call is that of a column with fields, whose methods Teradata has: `a.city()`."""
    if scope.dialect.name != "teradata" or not scope.builder.session.programs:
        return False
    column = search(scope, scope.dialect.column(name), name)
    return isinstance(column, int) and bool(struct_fields(scope.builder, column))


def _is_method(scope: Scope, name: str) -> bool:
    """Whether a call can only be a method; those of T-SQL's geometry begin with ST."""
    dialect = scope.dialect.family
    return name.lower() in _METHODS.get(dialect, ()) or (dialect == "tsql" and name.startswith("ST"))


def _unwound(node: Any) -> tuple[Any, list[Any], bool]:
    """The innermost base of a chain of dots, the steps from it, and whether the base stands in parentheses: `((t.s).x).y`."""
    path: list[Any] = []
    enclosed = False
    while isinstance(node, exp.Dot):
        path.append(node.expression)
        node = node.this
        inner = node.unnest() if isinstance(node, exp.Paren) else node
        enclosed = inner is not node
        if isinstance(inner, exp.Dot) and not isinstance(inner.expression, exp.Identifier):
            break  # a method's value
        node = inner
    return node, path[::-1], enclosed


@handles(exp.Struct)
def struct(scope: Scope, node: Any, target: int, kind: int) -> None:
    """A struct as a whole takes all its members."""
    value = scope.builder.function(node)
    scope.edges.append((target, value, kind, node))
    for member in node.expressions:
        if isinstance(member, exp.PropertyEQ):
            if isinstance(member.this, exp.Column):  # Snowflake's OBJECT_CONSTRUCT takes keys from columns
                flow(scope, member.this, value, TRANSFORMATION)
            member = member.expression
        flow(scope, member, value, TRANSFORMATION)


@handles(exp.Bracket)
def bracket(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`arr[i]`, `m['k']`: an element of the column, chosen by the index."""
    if flow_path(scope, node, target, kind):
        return
    before = 1 - (node.args.get("offset") or 0)
    field = key_field(scope, node.this, node.expressions[0], before) if len(node.expressions) == 1 else None
    if field is not None:
        scope.edges.append((target, field, kind, node))
        return
    kind = under_operator(kind)
    flow(scope, node.this, target, kind)
    for index in node.expressions:
        if not isinstance(index, exp.Literal):
            flow(scope, index, target, kind)


@handles(exp.StructExtract, exp.GetExtract)
def extract(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`struct_extract(s, 'x')` is `s.x`; of something whose fields are not known it is made of the whole."""
    field = key_field(scope, node.this, node.expression)
    if field is not None:
        scope.edges.append((target, field, kind, node))
    else:
        call(scope, node, target, kind)


@called("tupleelement")
def tuple_element(scope: Scope, node: Any, target: int, kind: int) -> None:
    """ClickHouse's `tupleElement(t, 1)`, `tupleElement(t, 'x')`."""
    given = node.expressions
    field = key_field(scope, given[0], given[1]) if len(given) > 1 else None
    if field is not None:
        scope.edges.append((target, field, kind, given[0]))
    else:
        call(scope, node, target, kind)


@handles(exp.Lambda)
def lambda_(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`x -> x + b`: the parameter stands for elements that flow by themselves; b is captured.

    Where the arrow reads JSON, `f(js -> 'key')` parses as a lambda too.
    """
    dialect = scope.dialect
    if not dialect.lambdas or (dialect.json_arrows and isinstance(node.this, exp.Literal)):
        for name in node.expressions:
            flow(scope, exp.Column(this=name), target, under_operator(kind))
    flow(scope, node.this, target, under_operator(kind))


@handles(exp.Reduce)
def reduce(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`reduce(arr, start, (acc, x) -> …, acc -> acc.n)`: with a last lambda, what this one makes of the accumulator."""
    handed = handed_on(node) if isinstance(node.args.get("finish"), exp.Lambda) else None
    if handed is None:
        call(scope, node, target, kind)
        return
    value = scope.builder.function(node)
    scope.edges.append((target, value, kind, node))
    with HandedOn(scope, node, handed).with_parameters():
        for part, part_kind in (*handed.parts, *handed.others):
            flow(scope, part, value, part_kind)


@handles(exp.Comprehension)
def comprehension(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`[e + b FOR e IN arr IF c]`: e stands for arr's elements, everything else is captured."""
    builder = scope.builder
    element = builder.function(node)
    flow(scope, node.args["iterator"], element, TRANSFORMATION)
    inner = Scope(builder, scope, scope.environment, scope.rows)
    variable = node.expression
    inner.names[scope.dialect.column(variable.this if isinstance(variable, exp.Column) else variable)] = element
    flow(inner, node.this, target, under_operator(kind))
    if isinstance(node.args.get("condition"), exp.Expr):
        flow(inner, node.args["condition"], target, under_operator(kind))


@handles(exp.ToMap, exp.VarMap, exp.Map)
def map_(scope: Scope, node: Any, target: int, kind: int) -> None:
    """A map takes its keys and values."""
    value = scope.builder.function(node)
    scope.edges.append((target, value, kind, node))
    inner = node.args.get("this")
    if isinstance(inner, exp.Bracket):  # `MAP {k: v}[i]`, which the grammar takes for a map of `{k: v}[i]`
        for index in inner.expressions:
            flow(scope, index, value, TRANSFORMATION)
        inner = inner.this
    pairs = inner.expressions if isinstance(inner, exp.Struct) else _children(node)
    for pair in pairs:
        flow(scope, pair, value, TRANSFORMATION)


def _children(node: Any) -> list[Any]:
    children: list[Any] = []
    push_children(children, node)
    return children[::-1]
