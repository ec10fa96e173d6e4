"""CSV: one row per column-level edge, `source_table,source_column,expression,target_column,target_table,file`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from headwater.export.cells import plain_cell
from headwater.model.kind import FOREIGN_KEY, KINDS
from headwater.model.relation import ColumnEdge

if TYPE_CHECKING:
    from headwater.lineage.lineage import Lineage

LONGEST = 1000
"""Characters of an expression that every row repeats; a longer one stands in full in the first row of its target, cut in the others."""

KEY = KINDS[FOREIGN_KEY].clause
DECLARED_KEY = "FOREIGN KEY"
"""The expression of a pair that a declared key makes: no data flows along it."""

HEADER = ("source_table", "source_column", "expression", "target_column", "target_table", "file")


def to_csv(
    lineage: Lineage,
    collapse_temp: bool = False,
    end_to_end: bool = False,
    dialect: str | None = None,
    header: bool = True,
    safe: bool = True,
) -> str:
    """Edges between columns, constants with an empty source; row sets are left out.

    Cells are *safe* to open in a spreadsheet: none is a formula.
    With a *dialect* each row ends in it, so that the answers of several can stand in one file.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    more = [] if dialect is None else [dialect]
    if header:
        writer.writerow([*HEADER, *(["dialect"] if more else [])])
    edges = lineage.column_edges(rows="none", literals=True, collapse_temp=collapse_temp, end_to_end=end_to_end)
    sourced = {(e.target, e.expression) for e in edges if e.source.table is not None}
    rows: dict[tuple[str, ...], None] = {}
    for edge in edges:
        if edge.source.table is not None or (edge.target, edge.expression) not in sourced:
            rows[_row(edge, lineage.path or "")] = None
    listed = ([*row, *more] for row in _shortened(rows))
    writer.writerows(map(plain_cell, row) if safe else row for row in listed)
    return out.getvalue()


def _shortened(rows: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    told: set[tuple[str, ...]] = set()
    for row in rows:
        expression, target = row[2], row[2:5]
        if len(expression) <= LONGEST:
            yield row
        elif target in told:
            yield (*row[:2], expression[:LONGEST] + "…", *row[3:])
        else:
            told.add(target)
            yield row


def _row(edge: ColumnEdge, path: str) -> tuple[str, ...]:
    constant = edge.source.table is None
    return (
        edge.source.table or "",
        "" if constant else edge.source.column,
        DECLARED_KEY if edge.clause == KEY else edge.expression,
        edge.target.column,
        edge.target.table or "",
        path,
    )
