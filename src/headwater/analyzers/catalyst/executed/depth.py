"""Plans of any depth: a program that calls `withColumn` 2,000 times makes a plan of 2,000 operators, one inside the other.

Readers call each other from operator to operator. So a deep plan is read in parts, the innermost first, each a subquery of the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Reader, query

_DEEP = 60
"""Operators that are read in one go; each takes some calls of Python's, which allows 1,000 inside each other."""
_CHOICES = frozenset({"Project", "Filter"})


@contextmanager
def deep_parts_read(reader: Reader, node: Node) -> Iterator[None]:
    """Read the parts of a plan that lie too deep, so that the rest can be read as usual inside the block.

    They are forgotten at its end: Python gives the id of an operator that is gone to another one.
    """
    for part in reversed(_deep_parts(node)):
        reader.parts[id(part)] = query(reader, part, None)
    try:
        yield
    finally:
        reader.parts.clear()


def _deep_parts(node: Node) -> list[Node]:
    """Operators in whose place a subquery means the same: others of their kind are above and below. Outer ones come first."""
    found: list[Node] = []
    pending = [(node, node, 0)]
    while pending:
        current, above, depth = pending.pop()
        if depth >= _DEEP and _is_plain(above, current):
            found.append(current)
            depth = 0
        pending += [(child, current, depth + 1) for child in current.children]
    return found


def _is_plain(above: Node, node: Node) -> bool:
    """Whether an operator stands among others that only choose columns and rows, or that all add up rows."""
    if node.name == "Union":
        return above.name == "Union"
    if above.name not in _CHOICES:
        return False
    return node.name == "Join" or (node.name in _CHOICES and node.children[0].name in _CHOICES)
