"""Comparisons of two sides: what is compared decides over the rows, and relates the columns of the two."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from headwater.analyzers.select import Attribute, Scope
from headwater.model.kind import JOIN, JOIN_CONDITION

Flow = Callable[[Scope, Any, int, int], None]
"""Lets an expression flow into a target: scope, expression, target column, kind."""


def compared(
    scope: Scope, flow: Flow, comparisons: Iterable[Any], left: list[Attribute], right: list[Attribute], rows: int
) -> None:
    """Let comparisons decide over a row set, one by one, and relate the columns of the two sides that each of them names."""
    edges = scope.edges
    ours, theirs = {a.column for a in left}, {a.column for a in right}
    for comparison in comparisons:
        before = len(edges)
        flow(scope, comparison, rows, JOIN_CONDITION)
        sources = [source for target, source, _, _ in edges[before:] if target == rows]
        edges.extend(
            (one, other, JOIN, None) for one in sources for other in sources if one in ours and other in theirs
        )
