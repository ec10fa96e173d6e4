"""Rows of cells: CSV with the quoting of RFC 4180, any separator, and lines that end in a line feed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from headwater.export.format import Output

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""
_AT_ONCE = 1000


class CellWriter:
    """Writes rows; cells that a spreadsheet would run are made plain text, unless raw ones are asked for."""

    def __init__(self, output: Output, separator: str = ",", safe: bool = True) -> None:
        self._output = output
        self._safe = safe
        self._text = io.StringIO()
        self._csv = csv.writer(self._text, delimiter=separator, lineterminator="\n")

    def write(self, row: Sequence[str]) -> None:
        """Write a row."""
        self.write_all([row])

    def write_all(self, rows: Iterable[Sequence[str]]) -> None:
        """Write rows, as they come."""
        for number, row in enumerate(rows, 1):
            self._csv.writerow(map(plain_cell, row) if self._safe else row)
            if not number % _AT_ONCE:
                self._flush()
        self._flush()

    def _flush(self) -> None:
        self._output.write(self._text.getvalue())
        self._text.seek(0)
        self._text.truncate()


def plain_cell(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: an apostrophe stands before what begins like one. Numbers stay.

    >>> plain_cell("=1+1"), plain_cell("a"), plain_cell(-1)
    ("'=1+1", 'a', -1)
    """
    return "'" + cell if isinstance(cell, str) and cell.startswith(FORMULA) else cell
