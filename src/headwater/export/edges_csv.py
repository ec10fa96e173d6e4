"""Plain CSV: one row per pair of columns, `source_table,source_column,expression,target_column,target_table,file`."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.export.cells import CellWriter
from headwater.export.csv_format import HEADER
from headwater.export.feed import Feed
from headwater.export.format import Choices, Format, Output


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """Write a feed as rows; names are folded, a query's own result has no table."""
    cells = CellWriter(output, safe=choices.safe_cells)
    cells.write(HEADER)
    cells.write_all(_rows(feed, output))


def _rows(feed: Feed, output: Output) -> Iterator[tuple[str, ...]]:
    for relation in feed.relations():
        target = relation.target
        path = feed.process(relation.process).path
        for source in relation.sources:
            if source.end.row_set or target.row_set:
                output.leave_out("pairs of row sets")
                continue
            yield (
                *(_name(feed, source.end.entity), source.end.column_name, relation.expression),
                *(target.column_name, _name(feed, target.entity), path),
            )


def _name(feed: Feed, id: int) -> str:
    return ".".join(feed.entity(id).parts)


FORMAT = Format("csv", "pairs of columns with their expressions", write, levels=("column",))
