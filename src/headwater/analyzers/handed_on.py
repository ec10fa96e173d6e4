"""Structs that an expression hands on, as CASE, COALESCE and aggregates do: a field of it is made of that field of each struct.

What decides over the whole value decides over every field.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from headwater.model.kind import WINDOW
from headwater.resolve.builder import Builder
from headwater.resolve.field import field_of


class HandedOn:
    """The columns of the structs, how each flows, and what else flows into the value."""

    __slots__ = ("builder", "compared", "decide", "earlier", "values")

    def __init__(
        self,
        builder: Builder,
        values: Callable[[], list[tuple[int, int]]],
        decide: Callable[[int], None],
        compared: list[str],
    ) -> None:
        self.builder = builder
        self.values = cache(values)
        self.decide = decide
        """Lets everything else flow into a column."""
        self.compared = compared
        """The names of the fields, from the left, where the structs are compared with each other."""
        self.earlier: list[int] = []
        """Fields that order the structs before those that are asked for."""

    def flow_into(self, name: str, field: int) -> bool:
        """Let a field of each struct flow into the column *field*."""
        builder = self.builder
        values = [(field_of(builder, value, name), kind) for value, kind in self.values()]
        builder.edges.extend((field, value, kind, None) for value, kind in values)
        before = self.compared[: self.compared.index(name)] if name in self.compared else []
        earlier = self.earlier + [field_of(builder, value, each) for value, _ in self.values() for each in before]
        builder.edges.extend((field, column, WINDOW, None) for column in earlier)
        self.decide(field)
        below = builder.structs[field] = HandedOn(builder, lambda: values, self.decide, [])
        below.earlier = earlier
        return True
