"""What was found against the truth, edge by edge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.edge import QUERY, Edge
from pipeline.truth import read

EXAMPLES = 20

Ends = tuple[str, str, str, str]
Hows = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Report:
    """Edges that agree; pairs of columns that are missing, extra, or related in another way; and the first of each."""

    agreed: int
    missing: int
    extra: int
    wrong_kind: int
    first_missing: tuple[Edge, ...] = ()
    first_extra: tuple[Edge, ...] = ()
    first_wrong: tuple[tuple[Ends, Hows, Hows], ...] = ()
    """Target and source, how they are related in truth, how they were found to be."""

    @property
    def exact(self) -> bool:
        """Whether nothing is missing, extra or of another kind."""
        return not (self.missing or self.extra or self.wrong_kind)

    def __str__(self) -> str:
        counts = f"{self.agreed} agree, {self.missing} missing, {self.extra} extra, {self.wrong_kind} of another kind"
        return "\n".join(
            [
                counts,
                *(f"  missing {_shown(edge[:4])} {edge.type} {edge.subtype}" for edge in self.first_missing),
                *(f"  extra   {_shown(edge[:4])} {edge.type} {edge.subtype}" for edge in self.first_extra),
                *(
                    f"  kind    {_shown(ends)} truth {sorted(true)} found {sorted(found)}"
                    for ends, true, found in self.first_wrong
                ),
            ]
        )


def _shown(ends: Ends) -> str:
    return f"{ends[0]}.{ends[1]} <- {ends[2]}.{ends[3]}"


def compare(found: Iterable[Edge], truth_folder: Path, by_shape: bool = False) -> Report:
    """Set against set.

    With *by_shape* queries that differ only in literals count as one, on both sides: for a graph that keeps one of them.
    """
    shapes = dict(read(truth_folder, "queries")) if by_shape else {}
    true_edges = {_folded(Edge(*row), shapes) for row in read(truth_folder, "relations")}
    found_edges = {_folded(edge, shapes) for edge in found}
    missing, extra = true_edges - found_edges, found_edges - true_edges
    wrong = {edge[:4] for edge in missing} & {edge[:4] for edge in _related(found_edges, missing)}
    wrong |= {edge[:4] for edge in extra} & {edge[:4] for edge in _related(true_edges, extra)}
    lost = sorted(edge for edge in missing if edge[:4] not in wrong)
    invented = sorted(edge for edge in extra if edge[:4] not in wrong)
    return Report(
        *(len(true_edges & found_edges), len(lost), len(invented), len(wrong)),
        *(tuple(lost[:EXAMPLES]), tuple(invented[:EXAMPLES])),
        tuple((ends, _hows(true_edges, ends), _hows(found_edges, ends)) for ends in sorted(wrong)[:EXAMPLES]),
    )


def _folded(edge: Edge, shapes: Mapping[str, str]) -> Edge:
    if not shapes or not edge.target_table.startswith(QUERY):
        return edge
    query = edge.target_table.removeprefix(QUERY)
    return edge._replace(target_table=QUERY + shapes.get(query, query))


def _related(edges: set[Edge], others: set[Edge]) -> Iterable[Edge]:
    """Edges between the same columns as one of the others."""
    ends = {edge[:4] for edge in others}
    return (edge for edge in edges if edge[:4] in ends)


def _hows(edges: set[Edge], ends: Ends) -> Hows:
    return frozenset((edge.type, edge.subtype) for edge in edges if edge[:4] == ends)
