"""Structs, arrays and maps: construction and access, down to the field."""

from __future__ import annotations

from headwater.analyzers.catalyst.flow import call_node, flow, handles
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.select import Scope
from headwater.model.kind import IDENTITY, TRANSFORMATION, under_operator
from headwater.resolve.field import path_of

_FIELDS = frozenset({"GetStructField", "GetArrayStructFields"})


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
    named = node.fields.get("name")
    if named is None:
        named = (node.fields.get("field") or {}).get("name")
    return str(named) if named is not None else f"col{int(node.fields['ordinal']) + 1}"


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
    return value


class Struct:
    """A struct that was built here: its members by name, and what they see."""

    __slots__ = ("members", "scope")

    def __init__(self, scope: Scope, node: Node) -> None:
        names = [scope.select.fold(str(each.fields.get("value"))) for each in node.children[::2]]
        self.members = dict(zip(names, node.children[1::2], strict=False))
        self.scope = scope

    def flow_into(self, name: str, field: int) -> bool:
        """Let a member flow into the column of its field."""
        member = self.members.get(name)
        if member is None:
            return False
        flow(self.scope, member, field, IDENTITY)
        remember(self.scope, member, field)
        return True


def remember(scope: Scope, node: Node, column: int) -> None:
    """Remember what a column is made of, for those who ask for its fields."""
    if node.name == "CreateNamedStruct":
        scope.builder.structs[column] = Struct(scope, node)
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
