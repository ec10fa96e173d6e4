"""A statement without its functions: what flows into a call flows straight to what the call makes."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.model.kind import compose
from headwater.model.resolution import FUNCTIONS, Edge, Resolution


def without_functions(resolution: Resolution) -> Resolution:
    """The same statement; calls are no longer columns of their own.

    `sal <- round <- salary` becomes `sal <- salary`.
    """
    columns = resolution.columns
    into: dict[int, list[Edge]] = {}
    for edge in resolution.edges:
        if columns[edge[0]][0] == FUNCTIONS:
            into.setdefault(edge[0], []).append(edge)
    kept = [edge for edge in resolution.edges if columns[edge[0]][0] != FUNCTIONS]
    return resolution._replace(edges=[straight for edge in kept for straight in _straight(edge, resolution, into)])


def _straight(edge: Edge, resolution: Resolution, into: dict[int, list[Edge]]) -> Iterator[Edge]:
    """What reaches the edge's target by way of calls, or the edge itself if its source is none."""
    target = edge[0]
    pending, seen = [edge], {edge[1:3]}
    while pending:
        _, source, kind, place = pending.pop()
        if resolution.columns[source][0] != FUNCTIONS:
            yield target, source, kind, place
            continue
        for _, inner, first, at in reversed(into.get(source, ())):
            whole = compose(first, kind)
            if (inner, whole) not in seen:
                seen.add((inner, whole))
                pending.append((target, inner, whole, at))
