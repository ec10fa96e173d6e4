"""Plain CSV: one row per pair of columns, `source_table,source_column,expression,target_column,target_table,file`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from headwater.export.cells import CellWriter
from headwater.export.csv_format import DECLARED_KEY, HEADER, KEY
from headwater.export.feed import Feed
from headwater.export.format import Choices, Format, Output


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """Write a feed as rows; names are folded, a query's own result has no table."""
    cells = CellWriter(output, safe=choices.safe_cells)
    cells.write(HEADER)
    cells.write_all(_rows(feed.scoped(replace(feed.scope, places=False)), output))


def _rows(feed: Feed, output: Output) -> Iterator[tuple[str, ...]]:
    for relation in feed.relations():
        target = relation.target
        path, name = feed.process(relation.process).path, ".".join(target.parts)
        for source in relation.sources:
            if source.end.row_set or target.row_set:
                output.leave_out("pairs of row sets")
                continue
            expression = DECLARED_KEY if source.kind.clause == KEY else relation.expression
            yield (
                *(".".join(source.end.parts), source.end.column_name, expression),
                *(target.column_name, name, path),
            )


FORMAT = Format("csv", "pairs of columns with their expressions", write, levels=("column",))
