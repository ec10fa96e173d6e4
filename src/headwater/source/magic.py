"""Magic lines of notebooks, which say what language a cell, or the rest of a line, is in."""

from __future__ import annotations

import re
from typing import NamedTuple

SQL_MAGICS = frozenset({"sql", "spark.sql", "sparksql", "bigquery", "bq"})
"""Magics whose cells are SQL."""
TRANSPARENT = frozenset({"time", "timeit", "capture", "prun", "pyspark", "spark.pyspark", "python", "python3", "py"})
"""Magics whose cells are Python."""

_BEFORE = re.compile(r"(?:\s*(?:#(?!!)[^\n]*|%%(?:time|timeit|capture|prun)\b[^\n]*)\n)+(?=\s*%%)")
"""What may stand before a cell's own magic: comments, such as the title of a form, and magics that are about any cell."""
_CELL = re.compile(r"\s*(?P<sign>%%?|#!)(?P<word>[A-Za-z][\w.]*)")
_STATEMENT = re.compile(
    r"(?<!\S)\(?(?:select|with|insert|update|delete|merge|create|alter|drop|replace|truncate|use|set|show|describe|from|explain)\b",
    re.IGNORECASE,
)
_LINE = re.compile(r"^[ \t]*(?:\w+[ \t]*=[ \t]*)?%sql[ \t]+(?P<rest>[^\n]*)$", re.MULTILINE)


class Magic(NamedTuple):
    """A cell's magic: its sign and its word, and where what it is about begins."""

    sign: str
    word: str
    end: int


def magic_of(cell: str) -> Magic | None:
    r"""The magic that a cell begins with.

    >>> magic_of("# @title\n%%capture\n%%bash\nls").word
    'bash'
    """
    before = _BEFORE.match(cell)
    match = _CELL.match(cell, before.end() if before else 0)
    return Magic(match["sign"], match["word"].lower(), match.end()) if match else None


def sql_begins(cell: str, magic: Magic) -> int:
    """Where the SQL of an SQL cell begins: behind the magic's options, which may hold a connection and its password.

    >>> cell = "%%sql postgresql://me:x@host/db SELECT 1"
    >>> cell[sql_begins(cell, magic_of(cell)) :]
    'SELECT 1'
    """
    feed = cell.find("\n", magic.end)
    end = len(cell) if feed < 0 else feed
    match = _STATEMENT.search(cell, magic.end, end)
    return match.start() if match else end


def sql_lines(cell: str) -> list[tuple[int, int]]:
    """The stretches of SQL behind `%sql` in single lines of a Python cell: `%sql SELECT 1`, `rows = %sql SELECT 1`."""
    found = []
    for line in _LINE.finditer(cell):
        match = _STATEMENT.search(cell, line.start("rest"), line.end())
        if match:
            found.append((match.start(), line.end()))
    return found
