"""Rows for people and for programs: an aligned table, or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import click

from headwater.cli.cells import head, visible, width
from headwater.cli.echo import echo_lines
from headwater.cli.raw_cells import cells_are_safe
from headwater.export.cells import plain_cell

Row = Sequence[Any]
_WIDEST = 60
"""Cells of a column of a table."""


def print_as(
    format: str,
    text: Callable[[], Iterable[str]],
    header: Row,
    rows: Callable[[], Iterable[Row]],
    document: Callable[[], Any],
) -> None:
    """Print an answer in one of the four forms; only that one is made."""
    if format == "json":
        click.echo(json.dumps(document(), indent=2, ensure_ascii=False))
    elif format == "csv":
        click.echo(_csv(header, rows(), cells_are_safe()), nl=False)
    elif format == "table":
        echo_lines(table_lines(header, rows()))
    else:
        echo_lines(text())


def _csv(header: Row, rows: Iterable[Row], safe: bool) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    cells = (["" if cell is None else cell for cell in row] for row in rows)
    writer.writerows(map(plain_cell, row) if safe else row for row in cells)
    return out.getvalue()


def table_lines(header: Row, rows: Iterable[Row]) -> Iterator[str]:
    """An aligned table: a heading, then a row a line; what is too wide is cut."""
    shown = [[_cell(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(width, column)) for column in zip(*shown, strict=True)]
    for i, row in enumerate(shown):
        padded = (cell + " " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=True))
        line = "  ".join(padded).rstrip()
        yield line if i else click.style(line, dim=True)


def _cell(value: Any) -> str:
    return "" if value is None else head(one_line(str(value)), _WIDEST)


def one_line(text: str) -> str:
    """A text on one line, without what would steer a terminal."""
    return visible(" ".join(text.split()))
