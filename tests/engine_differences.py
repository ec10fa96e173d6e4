"""What the static and the Catalyst engine say differently about the same SQL."""

from __future__ import annotations

import headwater
from case_runner import edge_line
from headwater.model.diagnostic import Code
from headwater.model.entity import PSEUDO_ROWS


def _lines(lineage: headwater.Lineage) -> set[str]:
    """The edges as cases write them, but for those between row sets."""
    return {
        edge_line(edge)
        for edge in lineage.column_edges()
        if not (edge.source.column == PSEUDO_ROWS and edge.target.column == PSEUDO_ROWS)
    }


def difference(static: headwater.Lineage, catalyst: headwater.Lineage) -> list[str]:
    """Edges of one engine alone: "-" the static engine's, "+" Catalyst's."""
    ours, theirs = _lines(static), _lines(catalyst)
    return sorted([f"- {line}" for line in ours - theirs] + [f"+ {line}" for line in theirs - ours])


def refusals(lineage: headwater.Lineage) -> list[str]:
    """Why Spark did not take statements."""
    return [d.message for d in lineage.diagnostics if d.code is Code.ENGINE_FALLBACK]
