"""Spark's JSON of a plan or an expression, as a tree.

`toJSON` gives the nodes in pre-order; `num-children` rebuilds the tree. A field that is a child holds its number, any other tree (a
plan's expressions, a subquery's plan) is a list of its own inside the field. Only children, a plan's own expressions,
`OuterReference.e` and subquery plans have the ids of the analysed plan; other fields may hold stale ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


class Node:
    """A node of a plan or an expression. `name` is its class without the package."""

    __slots__ = ("children", "fields", "name")

    def __init__(self, fields: Json, children: list[Node]) -> None:
        self.name: str = fields["class"].rpartition(".")[2]
        self.fields = fields
        self.children = children

    @property
    def id(self) -> int:
        """The id of an attribute or an alias."""
        return int(self.fields["exprId"]["id"])

    @property
    def label(self) -> str:
        """The name of an attribute or an alias."""
        return str(self.fields["name"])

    def child(self, key: str) -> Node | None:
        """The child that a field stands for."""
        number = self.fields.get(key)
        return self.children[number] if isinstance(number, int) and not isinstance(number, bool) else None

    def tree(self, key: str) -> Node | None:
        """The tree inside a field; None if there is none."""
        value: Any = self.fields.get(key)
        return tree(value) if _is_tree(value) else None

    def trees(self, key: str) -> list[Node]:
        """The trees inside a field."""
        value = self.fields.get(key)
        return [tree(each) for each in value if _is_tree(each)] if isinstance(value, list) else []

    def word(self, key: str) -> str:
        """The name of a Scala object in a field: `LeftOuter` of a join's type."""
        value = self.fields.get(key) or {}
        return str(value.get("object") or value.get("product-class") or "").rpartition(".")[2].removesuffix("$")

    def __repr__(self) -> str:
        return f"<{self.name} of {len(self.children)}>"


def _is_tree(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and "num-children" in value[0]


def tree(items: list[Json]) -> Node:
    """The tree of nodes in pre-order."""
    stack: list[Node] = []
    for fields in reversed(items):
        children = [stack.pop() for _ in range(fields["num-children"])]
        node = Node(fields, children)
        stack.append(_inlined(*children) if node.name == "With" and len(children) == 2 else node)
    return stack[0]


def _inlined(inside: Node, definition: Node) -> Node:
    """An expression with the one part that Spark keeps apart (`BETWEEN`'s operand) in its places again."""
    if inside.name == "CommonExpressionRef":
        return definition.children[0]
    inside.children = [_inlined(child, definition) for child in inside.children]
    return inside


def everywhere(node: Node) -> Iterator[Node]:
    """A node and all nodes below it, those inside fields too."""
    stack: list[Any] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, Node):
            yield current
            stack.extend(current.children)
            stack.extend(current.fields.values())
        elif isinstance(current, dict):
            if "num-children" in current and current["num-children"] == 0:
                yield Node(current, [])
            stack.extend(current.values())
        elif isinstance(current, list):
            if current and isinstance(current[0], dict) and "num-children" in current[0]:
                stack.append(tree(current))
            else:
                stack.extend(current)
