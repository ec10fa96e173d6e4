"""Structs, arrays and maps: construction and access, down to the field."""

from __future__ import annotations

from typing import Any

from headwater.analyzers.catalyst.flow import call_node, flow, handles
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Scope
from headwater.model.kind import AGGREGATION, IDENTITY, TRANSFORMATION, under_operator
from headwater.resolve.field import path_of

_FIELDS = frozenset({"GetStructField", "GetArrayStructFields"})
_ELEMENTS = frozenset({"GetArrayItem", "GetMapValue", "ElementAt"})
_COLLECTING = frozenset({"CollectList", "CollectSet"})


@handles("GetStructField", "GetArrayStructFields")
def field(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`s.x`: the field alone, wherever the struct came from."""
    path, base = _unwound(scope, node)
    scope.edges.append((target, path_of(scope.builder, value_of(scope, base), path), kind, None))


def _unwound(scope: Scope, node: Node) -> tuple[list[str], Node]:
    path: list[str] = []
    while node.name in _FIELDS:
        path.append(scope.select.fold(_field_name(node)))
        node = node.children[0]
    return path[::-1], node


def _field_name(node: Node) -> str:
    """A field's name, which a star over a struct leaves out: then it is found by its position."""
    named = node.fields.get("name") or (node.fields.get("field") or {}).get("name")
    if named is not None:
        return str(named)
    fields = _fields(node.children[0])
    position = int(node.fields["ordinal"])
    return fields[position][0] if position < len(fields) else f"col{position + 1}"


def _fields(node: Node) -> list[tuple[str, Any]]:
    """The fields of an expression that is a struct, or an array of structs, with their types."""
    if node.name == "CreateNamedStruct":
        return [(str(each.fields.get("value")), None) for each in node.children[::2]]
    kind: Any = node.fields.get("dataType")
    if node.name in _FIELDS:
        kind = dict(_fields(node.children[0])).get(_field_name(node))
    while isinstance(kind, dict) and kind.get("type") == "array":
        kind = kind["elementType"]
    return [(str(f["name"]), f["type"]) for f in kind.get("fields", ())] if isinstance(kind, dict) else []


def field_names(node: Node) -> list[str]:
    """The names of these fields."""
    return [name for name, _ in _fields(node)]


def value_of(scope: Scope, node: Node) -> int:
    """The column that an expression is, or one that stands for its value."""
    if node.name == "AttributeReference":
        return scope.find(node.id)
    inner = node.tree("e") if node.name == "OuterReference" else None
    if inner is not None:
        return scope.find(inner.id)
    value = scope.builder.function(None)
    flow(scope, node, value, IDENTITY)
    remember(scope, node, value)
    if node.name in _ELEMENTS:
        scope.builder.elements[value] = value_of(scope, node.children[0])
    return value


class Struct:
    """A struct that was built here, or that an aggregate collects: its members by name, and what they see."""

    __slots__ = ("groups", "members", "scope")

    def __init__(self, scope: Scope, node: Node, collected: bool = False) -> None:
        self.groups: int | None = None
        """Of collected structs: an aggregate without arguments, which the keys and row sets of its SELECT reach."""
        if collected:
            self.groups = scope.builder.function(None)
            scope.select.aggregates.append(self.groups)
        names = [scope.select.fold(str(each.fields.get("value"))) for each in node.children[::2]]
        self.members = dict(zip(names, node.children[1::2], strict=False))
        self.scope = scope

    def flow_into(self, name: str, field: int) -> bool:
        """Let a member flow into the column of its field."""
        member = self.members.get(name)
        if member is None:
            return False
        flow(self.scope, member, field, IDENTITY if self.groups is None else AGGREGATION)
        if self.groups is not None:
            self.scope.edges.append((field, self.groups, IDENTITY, None))
        remember(self.scope, member, field)
        return True


def remember(scope: Scope, node: Node, column: int) -> None:
    """Remember what a column is made of, for those who ask for its fields."""
    if node.name == "CreateNamedStruct":
        scope.builder.structs[column] = Struct(scope, node)
    elif node.name == "AggregateExpression" and node.children[0].name in _COLLECTING:
        element = node.children[0].children[0]
        if element.name == "CreateNamedStruct":
            scope.builder.structs[column] = Struct(scope, element, collected=True)
    elif node.name in _FIELDS:
        path, base = _unwound(scope, node)
        scope.builder.origins[column] = path_of(scope.builder, value_of(scope, base), path)


@handles("GetArrayItem", "GetMapValue")
def element(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`arr[i]`, `m['k']`: an element of the column, chosen by the index; a PIVOT's values are all made the same way."""
    array = node.children[0]
    if array.name == "AttributeReference" and array.id in scope.select.reader.pivoted:
        flow(scope, array, target, kind)
        return
    kind = under_operator(kind)
    flow(scope, node.children[0], target, kind)
    if node.children[1].name != "Literal":
        flow(scope, node.children[1], target, kind)


@handles("CreateNamedStruct")
def struct(scope: Scope, node: Node, target: int, kind: int) -> None:
    """A struct as a whole takes all its members, not their names."""
    value = call_node(scope, node, target, kind)
    for member in node.children[1::2]:
        flow(scope, member, value, TRANSFORMATION)
