"""GoogleSQL's resolved statements as trees of ours, which need none of its classes and can be sent from process to process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple


class Type(NamedTuple):
    """A type: its name, the fields of a struct, the element of an array or a range."""

    name: str
    fields: tuple[tuple[str, Type], ...] = ()
    element: Type | None = None

    @property
    def struct(self) -> Type:
        """The struct that it is, or that its elements are."""
        return self.element.struct if self.name == "ARRAY" and self.element is not None else self

    def __str__(self) -> str:
        if self.element is not None:
            return f"{self.name}<{self.element}>"
        if self.name == "STRUCT":
            return (
                f"STRUCT<{', '.join(f'{_quoted(name)} {kind}' if name else str(kind) for name, kind in self.fields)}>"
            )
        return self.name


def _quoted(name: str) -> str:
    return name if name.isidentifier() else f"`{name}`"


class Column(NamedTuple):
    """A resolved column: its number, what it belongs to (`$query`, `$groupby`, a table's name), its name and type."""

    id: int
    of: str
    name: str
    type: Type


class Node:
    """A node. `name` is its class without "Resolved"."""

    __slots__ = ("fields", "name")

    def __init__(self, name: str, fields: dict[str, Any]) -> None:
        self.name = name
        self.fields = fields

    def node(self, key: str) -> Node:
        """The node in a field that is always set."""
        found = self.fields[key]
        assert isinstance(found, Node)
        return found

    def optional(self, key: str) -> Node | None:
        """The node in a field, if there is one."""
        found = self.fields.get(key)
        return found if isinstance(found, Node) else None

    def nodes(self, key: str) -> list[Node]:
        """The nodes in a field."""
        return self.fields.get(key) or []

    def columns(self, key: str = "column_list") -> list[Column]:
        """The columns in a field."""
        return self.fields.get(key) or []

    def column(self, key: str = "column") -> Column:
        """The column in a field."""
        found = self.fields[key]
        assert isinstance(found, Column)
        return found

    @property
    def type(self) -> Type:
        """The type of an expression."""
        return self.fields.get("type") or Type("UNKNOWN")

    @property
    def written(self) -> bool:
        """Whether it stands in the text as such: a query, a cast; else the analyzer added it."""
        return bool(self.fields.get("written"))

    @property
    def function(self) -> str:
        """The name of the function that a call is of: `$add`, `sum`."""
        return str(self.fields.get("function", "")).rpartition(":")[2].lower()

    @property
    def arguments(self) -> list[Node]:
        """What a call is given: expressions, and lambdas as such."""
        generic = [
            each.optional("expr") or each.optional("inline_lambda") for each in self.nodes("generic_argument_list")
        ]
        return self.nodes("argument_list") + [each for each in generic if each is not None]

    def __repr__(self) -> str:
        return f"<{self.name}>"


def everywhere(node: Node) -> Iterator[Node]:
    """A node and all nodes below it."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        for value in current.fields.values():
            if isinstance(value, Node):
                stack.append(value)
            elif isinstance(value, list):
                stack.extend(each for each in value if isinstance(each, Node))
