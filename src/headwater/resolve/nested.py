"""Structs, arrays, maps and lambdas: construction and access, down to the field."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from sqlglot import exp

from headwater.model.kind import IDENTITY, TRANSFORMATION, candidate, under_operator
from headwater.resolve.bind import column_of, dotted, find_item
from headwater.resolve.collection import element
from headwater.resolve.document_path import flow_path
from headwater.resolve.field import path_of
from headwater.resolve.flow import flow, handles, push_children
from headwater.resolve.scope import Scope


@handles(exp.Dot)
def dot(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`base.x.y`: the field alone where the base is a struct we know, else the whole base."""
    base, path, enclosed = _unwound(node)
    if element(scope, (base, *path), target, kind):
        return
    names = [scope.dialect.column(i) for i in path if isinstance(i, exp.Identifier)]
    if any(isinstance(step, exp.Literal) for step in path):
        _numbered_element(scope, base, path, target, kind)
        return
    if len(names) != len(path):
        _method_calls(scope, base, path, target, kind)
        return
    if isinstance(base, exp.Column) and isinstance(base.this, exp.Identifier) and not enclosed:
        identifiers = [base.args[k] for k in ("catalog", "db", "table", "this") if base.args.get(k) is not None]
        found = dotted(scope, identifiers + path, node)
        if isinstance(found, int):
            scope.edges.append((target, found, kind, node))
        else:
            for column in found or ():
                scope.edges.append((target, column, candidate(kind), node))
        return
    named = isinstance(base, exp.Column) and isinstance(base.this, exp.Identifier)
    whole = column_of(scope, base) if named else None
    if whole is not None:
        scope.edges.append((target, path_of(scope.builder, whole, names), kind, node))
        return
    value = scope.builder.function(base)
    if not any(builds(scope, base, value) for builds in BUILDERS):
        if isinstance(base, exp.Identifier):  # a lambda's parameter
            return
        _opaque(scope, base, value)
    field = path_of(scope.builder, value, names)
    scope.edges.append((target, field, kind, node))


_BUILT_IN_SCHEMAS = frozenset({"main", "temp", "system", "pg_catalog", "information_schema"})
"""Schemas that every DuckDB database has: what follows them is a call, and they are no column."""


def _numbered_element(scope: Scope, base: Any, path: list[Any], target: int, kind: int) -> None:
    """ClickHouse's `(a, b).2` is b; an element of anything else is made of the whole."""
    number = int(path[0].name) if isinstance(path[0], exp.Literal) and path[0].name.isdigit() else 0
    members = base.expressions if isinstance(base, (exp.Tuple, exp.Struct)) else []
    if len(path) == 1 and 0 < number <= len(members):
        flow(scope, members[number - 1], target, kind)
    elif isinstance(base, exp.Expr):
        flow(scope, base, target, under_operator(kind))


def _method_calls(scope: Scope, base: Any, path: list[Any], target: int, kind: int) -> None:
    """`schema.f(x)` is a call of f; DuckDB's `a.f().g(b)` hands a through f and g."""
    if isinstance(path[-1], exp.Star):
        flow(scope, base, target, under_operator(kind))
        return
    calls = [step for step in path if not isinstance(step, exp.Identifier)]
    chained = scope.dialect.grammar_name == "duckdb" and base.name.lower() not in _BUILT_IN_SCHEMAS
    owner = None if chained else _method_owner(scope, base, path)
    if owner is not None:
        flow(scope, owner, target, under_operator(kind))
    if chained and isinstance(base, exp.Identifier):
        base = _named([base, *takewhile(lambda step: isinstance(step, exp.Identifier), path)])
    if chained and isinstance(base, exp.Expr):
        flow(scope, base, target, under_operator(kind))
    for call in calls if chained else calls[-1:]:
        flow(scope, call, target, kind)


def _named(identifiers: list[Any]) -> Any:
    """The node of `a`, `t.a` or `t.a.b`."""
    if len(identifiers) == 1:
        return exp.Column(this=identifiers[0])
    column: exp.Expr = exp.Column(this=identifiers[1], table=identifiers[0])
    for field in identifiers[2:]:
        column = exp.Dot(this=column, expression=field)
    return column


_XML_METHODS = frozenset({"value", "query", "exist", "nodes"})


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
    method = path[len(names) - 1] if isinstance(base, exp.Identifier) else path[0]
    is_xml = isinstance(method, exp.Anonymous) and str(method.this).lower() in _XML_METHODS
    if not of_item and not (is_xml and scope.dialect.grammar_name == "tsql"):
        return None
    keys = ("this", "table", "db", "catalog")
    return exp.Column(**dict(zip(keys, reversed([n.copy() for n in names]), strict=False)))


def _opaque(scope: Scope, base: Any, value: int) -> None:
    """Something whose fields we do not know by name, except that an element of a column has the column's fields."""
    inner = base
    while isinstance(inner, (exp.Bracket, exp.Paren)):
        inner = inner.this
    if isinstance(inner, exp.Column) and isinstance(base, (exp.Bracket, exp.Paren)):
        column = column_of(scope, inner)
        if column is not None:
            scope.builder.elements[value] = column
    flow(scope, base, value, TRANSFORMATION if value in scope.builder.elements else IDENTITY)


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


def build(scope: Scope, node: Any, column: int) -> bool:
    """Remember how to find the fields of a struct that *node* constructs into *column*; False if it does not."""
    members = struct_members(scope, node)
    if members is None:
        return False
    scope.builder.structs[column] = Built(scope, members)
    return True


BUILDERS = [build]
"""What may remember the fields of a constructed value; `built_array` has more."""


class Built:
    """The members of a struct under construction; a member flows into its field when somebody asks for the field."""

    __slots__ = ("members", "scope")

    def __init__(self, scope: Scope, members: dict[str, Any]) -> None:
        self.scope = scope
        self.members = members

    def flow_into(self, name: str, field: int) -> bool:
        """Let the member *name* flow into the column *field*; False if there is no such member."""
        member = self.members.get(name)
        if member is None:
            return False
        edges = self.scope.edges
        before = len(edges)
        flow(self.scope, member, field, IDENTITY)
        if (
            not build(self.scope, member, field)
            and isinstance(member, (exp.Column, exp.Dot))
            and len(edges) == before + 1
        ):
            self.scope.builder.origins[field] = edges[before][1]
        return True


def struct_members(scope: Scope, node: Any) -> dict[str, Any] | None:
    """The named members of a struct constructor; None for anything else."""
    while isinstance(node, (exp.Paren, exp.Alias)):
        node = node.this
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.Struct):
        fields = [d.this for d in node.to.expressions if isinstance(d, exp.ColumnDef)]
        return {scope.dialect.column(f): v for f, v in zip(fields, node.this.expressions, strict=False)}
    if isinstance(node, exp.Struct):
        return _members(scope, node.expressions)
    if isinstance(node, exp.Anonymous) and str(node.this).lower() == "named_struct":
        pairs = node.expressions
        return {
            scope.dialect.fold_column(k.name, False): v
            for k, v in zip(pairs[::2], pairs[1::2], strict=False)
            if isinstance(k, exp.Literal)
        }
    return None


def _members(scope: Scope, expressions: list[Any]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for position, member in enumerate(expressions, 1):
        if isinstance(member, (exp.PropertyEQ, exp.Alias)):
            name = member.args.get("alias") if isinstance(member, exp.Alias) else member.this
            value = member.this if isinstance(member, exp.Alias) else member.expression
            members[_member_name(scope, name)] = value
        elif isinstance(member, exp.Column):
            members[scope.dialect.column(member.this)] = member
        else:
            members[f"col{position}"] = member
    return members


def _member_name(scope: Scope, name: Any) -> str:
    if isinstance(name, exp.Identifier):
        return scope.dialect.column(name)
    text = name.name if isinstance(name, exp.Expr) else str(name)
    return scope.dialect.fold_column(text, isinstance(name, exp.Literal))


@handles(exp.Struct)
def struct(scope: Scope, node: Any, target: int, kind: int) -> None:
    """A struct as a whole takes all its members."""
    value = scope.builder.function(node)
    scope.edges.append((target, value, kind, node))
    for member in node.expressions:
        if isinstance(member, exp.PropertyEQ):
            member = member.expression
        flow(scope, member, value, TRANSFORMATION)


@handles(exp.Bracket)
def bracket(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`arr[i]`, `m['k']`: an element of the column, chosen by the index."""
    if flow_path(scope, node, target, kind):
        return
    kind = under_operator(kind)
    flow(scope, node.this, target, kind)
    for index in node.expressions:
        if not isinstance(index, exp.Literal):
            flow(scope, index, target, kind)


@handles(exp.Lambda)
def lambda_(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`x -> x + b`: the parameter stands for elements that flow by themselves; b is captured.

    `f(js -> 'key')` parses as a lambda too, but it is JSON access: nobody writes a function to a constant.
    """
    if isinstance(node.this, exp.Literal) or not scope.dialect.lambdas:
        for name in node.expressions:
            flow(scope, exp.Column(this=name), target, under_operator(kind))
    flow(scope, node.this, target, under_operator(kind))


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
