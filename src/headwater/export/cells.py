"""Rows of cells: CSV with the quoting of RFC 4180, any separator, and lines that end in a line feed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from headwater.export.format import Output

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""
_AT_ONCE = 1000


class CellWriter:
    """Writes rows; cells that a spreadsheet would run are made plain text if asked."""

    def __init__(self, output: Output, separator: str = ",", safe: bool = False) -> None:
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
            self._csv.writerow(map(_plain, row) if self._safe else row)
            if not number % _AT_ONCE:
                self._flush()
        self._flush()

    def _flush(self) -> None:
        self._output.write(self._text.getvalue())
        self._text.seek(0)
        self._text.truncate()


def _plain(cell: str) -> str:
    return "'" + cell if cell.startswith(_FORMULA) else cell
