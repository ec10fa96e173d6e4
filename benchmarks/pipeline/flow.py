"""What flows where, while SQL is being written: the generator's own reading of the model, without any parser.

A `Flow` is a source column and how it arrives; whatever the generator writes carries the set of flows into it. `through` adds
a hop to each of them, by the model's rule for composition.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

ROWS = "PseudoRows"
"""The column that stands for a table's row set."""


class Source(NamedTuple):
    """A column of a table; the table is named as it is known everywhere, `schema.name`."""

    table: str
    column: str


class How(NamedTuple):
    """The way of a flow: `fdd` or `fdr`, its subtype (empty for a whole row set), and how strongly it names a chain."""

    type: str
    subtype: str
    strength: int


IDENTITY = How("fdd", "IDENTITY", 0)
TRANSFORMATION = How("fdd", "TRANSFORMATION", 1)
AGGREGATION = How("fdd", "AGGREGATION", 2)
WRITTEN = How("fdr", "", 3)
"""The query's row set to the written table's; the source's row set to what MERGE and UPDATE assign."""
CONDITIONAL = How("fdd", "CONDITIONAL", 4)
WINDOW = How("fdd", "WINDOW", 4)
COUNTED = How("fdr", "", 5)
"""A row set to an aggregate that depends on it."""
FILTER = How("fdr", "FILTER", 5)
JOIN = How("fdr", "JOIN", 5)
GROUP_BY = How("fdr", "GROUP_BY", 5)
SORT = How("fdr", "SORT", 5)


class Flow(NamedTuple):
    """One source and how it arrives."""

    source: Source
    how: How


Flows = frozenset[Flow]
NOTHING: Flows = frozenset()


def column(table: str, name: str) -> Flows:
    """A table's column as it is."""
    return frozenset({Flow(Source(table, name), IDENTITY)})


def row_set(table: str) -> Flows:
    """A table's row set as it is."""
    return column(table, ROWS)


def together(parts: Iterable[Flows]) -> Flows:
    """The flows of all parts."""
    return frozenset().union(*parts)


def through(flows: Flows, hop: How) -> Flows:
    """The flows after one more hop.

    Any influence makes the whole an influence. The stronger hop names it, of equals the one nearer to the source.
    """
    return frozenset(Flow(source, _joined(how, hop)) for source, how in flows)


def _joined(first: How, second: How) -> How:
    name = first if first.strength >= second.strength else second
    return name if name.type == "fdr" or "fdr" not in (first.type, second.type) else name._replace(type="fdr")
