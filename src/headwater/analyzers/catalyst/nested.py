"""Structs, arrays and maps: construction and access, down to the field."""

from __future__ import annotations

from copy import copy
from typing import Any

from headwater.analyzers.catalyst.conditional import choices
from headwater.analyzers.catalyst.flow import call_node, flow, function, handles
from headwater.analyzers.catalyst.plan import Node, tree
from headwater.analyzers.handed_on import HandedOn
from headwater.analyzers.select import Scope
from headwater.model.kind import AGGREGATE_FILTER, AGGREGATION, CASE_WHEN, IDENTITY, TRANSFORMATION, under_operator
from headwater.resolve.field import field_of, path_of

_FIELDS = frozenset({"GetStructField", "GetArrayStructFields"})
_ELEMENTS = frozenset({"GetArrayItem", "GetMapValue", "ElementAt"})
_REPLACED = frozenset({"Nvl", "IfNull", "Nvl2"})
"""Functions that Spark writes as others."""
_CHOICES = frozenset({"CaseWhen", "If"})
_ARRAYS = frozenset({"ArrayFilter", "ArraySort", "SortArray", "Slice", "ArrayDistinct", "ArrayCompact", "Reverse"})
"""Functions that give some elements of their first argument."""
_LAMBDAS = {"ArrayTransform": 1, "ArrayAggregate": 3}
"""Functions whose value is that of a lambda, with the number of the argument that is the lambda."""
_COMPARING = frozenset({"Max", "Min"})
_HANDING_ON = frozenset({"CollectList", "CollectSet", "First", "Last", "MaxBy", "MinBy"} | _COMPARING)
"""Aggregates that give one of their values, or all of them."""


@handles("GetStructField", "GetArrayStructFields")
def field(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`s.x`: the field alone, wherever the struct came from."""
    path, base = _unwound(scope, node)
    scope.edges.append((target, path_of(scope.builder, value_of(scope, base), path), kind, None))
    if base.name in _ELEMENTS and base.children[1].name != "Literal":
        flow(scope, base.children[1], target, under_operator(kind))


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
    if node.name == "OuterReference":
        node = node.tree("e") or node
    members = _members(node)
    if members:
        return [(name, None) for name in members]
    handed = _parts(node)
    if handed:
        return next((fields for fields in map(_fields, handed) if fields), [])
    kind: Any = node.fields.get("dataType")
    if node.name in _FIELDS:
        kind = dict(_fields(node.children[0])).get(_field_name(node))
    while isinstance(kind, dict) and kind.get("type") == "array":
        kind = kind["elementType"]
    return [(str(f["name"]), f["type"]) for f in kind.get("fields", ())] if isinstance(kind, dict) else []


def _members(node: Node) -> dict[str, Node]:
    """The members of a struct that an expression builds, or of the elements of an array that it builds."""
    if node.name == "CreateNamedStruct":
        names = [str(each.fields.get("value")) for each in node.children[::2]]
        return dict(zip(names, node.children[1::2], strict=False))
    if node.name == "ArraysZip":
        names = [str(each.fields.get("value")) for each in _literals(node.fields.get("names"))]
        return dict(zip(names, node.children, strict=True)) if len(names) == len(node.children) else {}
    if node.name == "MapEntries" and node.children[0].name == "CreateMap":
        listed = node.children[0].children
        return {"key": _any_of(listed[::2]), "value": _any_of(listed[1::2])} if listed else {}
    return {}


def _literals(names: Any) -> list[Node]:
    """The names of the arrays of `arrays_zip`, which are no children of it."""
    found = [tree(each) for each in names if isinstance(each, list)] if isinstance(names, list) else []
    return [each for each in found if each.name == "Literal"]


def _any_of(nodes: list[Node]) -> Node:
    """An expression that hands on any of several."""
    return nodes[0] if len(nodes) == 1 else Node({"class": "CreateArray"}, nodes)


def _parts(node: Node) -> list[Node]:
    """The expressions whose values an expression hands on: branches of CASE, arguments of COALESCE, what some aggregates are given."""
    if node.name in _REPLACED and len(node.children) == 1:
        return _parts(node.children[0])
    if node.name in _CHOICES:
        return [each for each, kind in choices(node) if kind != CASE_WHEN]
    if node.name in ("Coalesce", "CreateArray"):
        return list(node.children)
    if node.name in _ARRAYS:
        return node.children[:1]
    if node.name in _LAMBDAS:
        return node.children[_LAMBDAS[node.name]].children[:1]
    call = node.children[0] if node.name == "AggregateExpression" else None
    return call.children[:1] if call is not None and call.name in _HANDING_ON else []


def field_names(node: Node) -> list[str]:
    """The names of these fields."""
    return [name for name, _ in _fields(node)]


def value_of(scope: Scope, node: Node) -> int:
    """The column that an expression is, or one that stands for its value."""
    if node.name == "AttributeReference" or (node.name == "NamedLambdaVariable" and node.id in scope.columns):
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
    """A struct that was built here: its members by name, and what they see.

    A member may flow when its SELECT is closed. What decides over the aggregates of that SELECT is noted before, in `groups`.
    """

    __slots__ = ("groups", "members", "scope")

    def __init__(self, scope: Scope, node: Node) -> None:
        self.members = {scope.select.fold(name): member for name, member in _members(node).items()}
        self.scope = scope
        self.groups: int | None = None
        if any(map(_aggregates, self.members.values())):
            self.groups = scope.builder.function(None)
            scope.select.aggregates.append(self.groups)

    def flow_into(self, name: str, field: int) -> bool:
        """Let a member flow into the column of its field."""
        member = self.members.get(name)
        if member is None:
            return False
        flow(self.scope, member, field, IDENTITY)
        if self.groups is not None and _aggregates(member):
            self.scope.edges.append((field, self.groups, IDENTITY, None))
        remember(self.scope, member, field)
        return True


class Renamed:
    """A struct whose fields a cast names anew, by their positions."""

    __slots__ = ("names", "node", "scope")

    def __init__(self, scope: Scope, node: Node, names: dict[str, str]) -> None:
        fold = scope.select.fold
        self.scope, self.node = scope, node
        self.names = {fold(name): fold(given) for name, given in names.items()}

    def flow_into(self, name: str, field: int) -> bool:
        """Let the field in the same position flow into the column *field*."""
        given = self.names.get(name)
        if given is None:
            return False
        source = field_of(self.scope.builder, value_of(self.scope, self.node), given)
        self.scope.edges.append((field, source, TRANSFORMATION, None))
        return True


def _aggregates(node: Node) -> bool:
    """Whether an expression holds an aggregate."""
    return node.name == "AggregateExpression" or any(map(_aggregates, node.children))


def remember(scope: Scope, node: Node, column: int) -> None:
    """Remember what a column is made of, for those who ask for its fields."""
    if _members(node):
        scope.builder.structs[column] = Struct(scope, node)
    elif node.name == "Cast":
        named, given = field_names(node), field_names(node.children[0])
        if named and given:
            scope.builder.structs[column] = Renamed(scope, node.children[0], dict(zip(named, given, strict=False)))
    elif node.name == "AggregateExpression" and _parts(node) and _fields(node):
        scope.builder.structs[column] = _aggregated(scope, node)
    elif _parts(node) and _fields(node):
        handed = _BY_LAMBDA.get(node.name) or (_some if node.name in _ARRAYS else _chosen)
        scope.builder.structs[column] = handed(scope, node)
    elif node.name in _FIELDS:
        path, base = _unwound(scope, node)
        scope.builder.origins[column] = path_of(scope.builder, value_of(scope, base), path)


def _aggregated(scope: Scope, node: Node) -> HandedOn:
    """The structs that an aggregate collects, or chooses from; the keys and row sets of its SELECT decide over every field."""
    call, *conditions = node.children
    first, *others = call.children
    groups = scope.builder.function(None)
    scope.select.aggregates.append(groups)

    def decide(field: int) -> None:
        for other in others:
            if other.name != "Literal":
                flow(scope, other, field, AGGREGATION)
        for condition in conditions:
            flow(scope, condition, field, AGGREGATE_FILTER)
        scope.edges.append((field, groups, IDENTITY, None))

    compared = [scope.select.fold(name) for name in field_names(first)] if call.name in _COMPARING else []
    return HandedOn(scope.builder, lambda: [(value_of(scope, first), AGGREGATION)], decide, compared)


def _chosen(scope: Scope, node: Node) -> HandedOn:
    """The structs that CASE and its kin choose from; what they test decides over every field."""
    while node.name in _REPLACED:
        node = node.children[0]
    parts = [each for each in _parts(node) if each.name != "Literal"]
    tests = [each for each, kind in choices(node) if kind == CASE_WHEN] if node.name in _CHOICES else []

    def decide(field: int) -> None:
        for test in tests:
            flow(scope, test, field, CASE_WHEN)

    return HandedOn(scope.builder, lambda: [(value_of(scope, each), TRANSFORMATION) for each in parts], decide, [])


def _some(scope: Scope, node: Node) -> HandedOn:
    """Some elements of an array: what a lambda tests, and every other argument, decides which."""
    array, *others = node.children

    def decide(field: int) -> None:
        for other in others:
            if other.name == "LambdaFunction":
                flow(_bound(scope, other, array), other.children[0], field, TRANSFORMATION)
            elif other.name != "Literal":
                flow(scope, other, field, TRANSFORMATION)

    return HandedOn(scope.builder, lambda: [(value_of(scope, array), TRANSFORMATION)], decide, [])


def _mapped(scope: Scope, node: Node) -> HandedOn:
    """What a lambda makes of each element of an array."""
    array, function = node.children[:2]

    def values() -> list[tuple[int, int]]:
        return [(value_of(_bound(scope, function, array), function.children[0]), TRANSFORMATION)]

    return HandedOn(scope.builder, values, lambda field: None, [])


def _reduced(scope: Scope, node: Node) -> HandedOn:
    """What the last lambda makes of an accumulator; how many elements there are decides over every field."""
    array, *_, finish = node.children
    inner = _folded(scope, *node.children)

    def values() -> list[tuple[int, int]]:
        return [(value_of(inner, finish.children[0]), TRANSFORMATION)]

    return HandedOn(scope.builder, values, lambda field: flow(scope, array, field, CASE_WHEN), [])


_BY_LAMBDA = {"ArrayTransform": _mapped, "ArrayAggregate": _reduced}


def _bound(scope: Scope, function: Node, array: Node, parameter: int = 1) -> Scope:
    """What a lambda sees: the scope around it, and the elements of an array under its first, or another, parameter."""
    inner = copy(scope)
    inner.columns = {**scope.columns, function.children[parameter].id: value_of(scope, array)}
    return inner


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


@handles("ArrayAggregate")
def fold(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`aggregate(arr, start, (acc, x) -> …, acc -> acc.n)`: with an accumulator that has fields, what the last lambda makes of them."""
    array, start, merge, finish = node.children
    if not field_names(start) or finish.children[0].name == "NamedLambdaVariable":
        function(scope, node, target, kind)
        return
    value = call_node(scope, node, target, kind)
    flow(_folded(scope, array, start, merge, finish), finish.children[0], value, TRANSFORMATION)
    flow(scope, array, value, CASE_WHEN)


def _folded(scope: Scope, array: Node, start: Node, merge: Node, finish: Node) -> Scope:
    """What the lambdas see: elements, and the accumulator, each field of which is made of that field of the start and of itself."""
    accumulator = scope.builder.function(None)
    inner = _bound(scope, merge, array, 2)
    inner.columns |= {merge.children[1].id: accumulator, finish.children[1].id: accumulator}

    def values() -> list[tuple[int, int]]:
        return [(value_of(scope, start), TRANSFORMATION), (value_of(inner, merge.children[0]), TRANSFORMATION)]

    scope.builder.structs[accumulator] = HandedOn(scope.builder, values, lambda field: None, [])
    return inner
