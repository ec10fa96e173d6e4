"""Structs and arrays: construction and access, down to the field."""

from __future__ import annotations

from headwater.analyzers.handed_on import HandedOn
from headwater.analyzers.select import Scope
from headwater.analyzers.zetasql.conditional import choices
from headwater.analyzers.zetasql.flow import call_node, calls, flow, handles
from headwater.analyzers.zetasql.tree import Node
from headwater.model.kind import (
    AGGREGATE_FILTER,
    AGGREGATION,
    CASE_WHEN,
    IDENTITY,
    TRANSFORMATION,
    WINDOW,
    under_operator,
)
from headwater.resolve.field import path_of

_ELEMENTS = frozenset(
    {"$array_at_offset", "$array_at_ordinal", "$safe_array_at_offset", "$safe_array_at_ordinal", "$subscript"}
    | {"$subscript_with_offset", "$subscript_with_ordinal", "$subscript_with_key"}
)


_HANDING_ON = frozenset({"array_agg", "any_value", "max_by", "min_by", "array_concat_agg"})
"""Aggregates that give one of their values, or all of them."""
_FIELDS = frozenset({"GetStructField", "GetJsonField"})


@handles(*_FIELDS)
def field(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`s.x`: the field alone, wherever the struct came from."""
    path, base = unwound(scope, node)
    scope.edges.append((target, path_of(scope.builder, value_of(scope, base), path), kind, None))


def unwound(scope: Scope, node: Node) -> tuple[list[str], Node]:
    """The names of the fields on the way to a field, and what the first is a field of."""
    path: list[str] = []
    while node.name in _FIELDS:
        base = node.node("expr")
        if node.name == "GetJsonField":
            path.append(scope.select.fold(str(node.fields["field_name"])))
        else:
            position = int(node.fields.get("field_idx", 0))
            path.append(scope.select.fold(field_name(base.type.fields[position][0], position)))
        node = base
    return path[::-1], node


def field_name(name: str, position: int) -> str:
    """A field's name; one without a name is called by its position."""
    return name or f"col{position + 1}"


def value_of(scope: Scope, node: Node) -> int:
    """The column that an expression is, or one that stands for its value."""
    if node.name == "ColumnRef":
        return scope.find(node.column().id)
    if node.name in _FIELDS:
        path, base = unwound(scope, node)
        return path_of(scope.builder, value_of(scope, base), path)
    value = scope.builder.function(None)
    remember(scope, node, value)
    flow(scope, node, value, TRANSFORMATION if value in scope.builder.elements else IDENTITY)
    return value


class Struct:
    """A struct that was built here: its members by name, and what they see; of several in an array, the members of each."""

    __slots__ = ("kind", "members", "scope")

    def __init__(self, scope: Scope, structs: list[Node], kind: int) -> None:
        self.scope = scope
        self.kind = kind
        names = [scope.select.fold(field_name(name, i)) for i, (name, _) in enumerate(structs[0].type.fields)]
        members = zip(*(each.nodes("field_list") for each in structs), strict=True)
        self.members = dict(zip(names, members, strict=True))

    def flow_into(self, name: str, field: int) -> bool:
        """Let a member flow into the column of its field."""
        members = self.members.get(name)
        if members is None:
            return False
        for member in members:
            flow(self.scope, member, field, self.kind)
            remember(self.scope, member, field)
        if len(members) == 1 and members[0].name == "ColumnRef":
            known = self.scope.builder.origins if self.kind == IDENTITY else self.scope.builder.elements
            known[field] = self.scope.find(members[0].column().id)
        return True


def remember(scope: Scope, node: Node, column: int) -> None:
    """Remember what a column is made of, for those who ask for its fields."""
    structs = scope.builder.structs
    while node.name == "Cast" and node.node("expr").name == "MakeStruct" and not node.written:
        node = node.node("expr")
    if node.name == "MakeStruct":
        structs[column] = Struct(scope, [node], IDENTITY)
    elif node.name == "FunctionCall" and node.function == "$make_array":
        if node.arguments and all(each.name == "MakeStruct" for each in node.arguments):
            structs[column] = Struct(scope, node.arguments, TRANSFORMATION)
    elif node.name == "FunctionCall" and node.type.struct.fields and choices(node):
        structs[column] = _chosen(scope, node)
    elif node.name == "FunctionCall" and node.function in _ELEMENTS and node.type.fields:
        scope.builder.elements[column] = value_of(scope, node.arguments[0])
    elif node.name in _FIELDS:
        scope.builder.origins[column] = value_of(scope, node)


def _chosen(scope: Scope, node: Node) -> HandedOn:
    """The structs that CASE and its kin choose from; what they test decides over every field."""
    found = choices(node)
    tests = [each for each, kind in found if kind == CASE_WHEN]
    chosen = [(each, kind) for each, kind in found if kind != CASE_WHEN and each.name != "Literal"]

    def decide(field: int) -> None:
        for test in tests:
            flow(scope, test, field, CASE_WHEN)

    return HandedOn(scope.builder, lambda: [(value_of(scope, each), kind) for each, kind in chosen], decide, [])


def remember_collected(scope: Scope, node: Node, column: int) -> None:
    """Remember the structs that an aggregate collects, or chooses from."""
    if node.function not in _HANDING_ON or not node.type.struct.fields:
        return
    first, *others = node.arguments
    orders = [each.node("column_ref") for each in node.nodes("order_by_item_list")]
    modifier = node.optional("having_modifier")
    groups = scope.builder.function(None)
    scope.select.aggregates.append(groups)

    def decide(field: int) -> None:
        for other in others:
            flow(scope, other, field, AGGREGATION)
        for order in orders:
            flow(scope, order, field, WINDOW)
        if modifier is not None:
            flow(scope, modifier.node("having_expr"), field, AGGREGATE_FILTER)
        scope.edges.append((field, groups, IDENTITY, None))

    scope.builder.structs[column] = HandedOn(scope.builder, lambda: [(value_of(scope, first), AGGREGATION)], decide, [])


@calls(*_ELEMENTS)
def element(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`arr[OFFSET(i)]`: an element of the column, chosen by the index."""
    kind = under_operator(kind)
    array, *indexes = node.arguments
    flow(scope, array, target, kind)
    for index in indexes:
        if index.name != "Literal":
            flow(scope, index, target, kind)


@handles("MakeStruct")
def struct(scope: Scope, node: Node, target: int, kind: int) -> None:
    """A struct as a whole takes all its members."""
    value = call_node(scope, "struct", target, kind)
    for member in node.nodes("field_list"):
        flow(scope, member, value, TRANSFORMATION)
