"""CSV: one row per column-level edge, `source_table,source_column,expression,target_column,target_table,file`."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headwater.lineage.lineage import Lineage

HEADER = ("source_table", "source_column", "expression", "target_column", "target_table", "file")


def to_csv(lineage: Lineage) -> str:
    """Data flow between columns, constants with an empty source; row sets are left out."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    rows: dict[tuple[str, ...], None] = {}
    edges = lineage.column_edges(rows="none", literals=True)
    sourced = {(e.target, e.expression) for e in edges if e.source.table is not None}
    for edge in edges:
        constant = edge.source.table is None
        if constant and (edge.target, edge.expression) in sourced:
            continue
        rows[
            "" if constant else edge.source.table or "",
            "" if constant else edge.source.column,
            edge.expression,
            edge.target.column,
            edge.target.table or "",
            lineage.path or "",
        ] = None
    writer.writerows(rows)
    return out.getvalue()
