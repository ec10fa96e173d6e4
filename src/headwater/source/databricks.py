"""Databricks notebooks kept as source files: `.py`, `.sql`, `.scala` and `.r` with comments between and before cells.

```
# Databricks notebook source
# MAGIC %sql
# MAGIC SELECT * FROM sales
# COMMAND ----------
spark.sql("…")
```

SQL stays at its lines and columns. Cells end what stands in them. `%run` lines stay as comments of SQL, which the front end reports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from headwater.model.span import Span
from headwater.source.layout import Piece, blanks, laid_out
from headwater.source.magic import SQL_MAGICS, magic_of, sql_begins
from headwater.source.python import read_python
from headwater.source.script import SourceScript, with_problem
from headwater.sql.given_text import given_text

_HEADER = re.compile(r"\s*(?P<sign>#|--|//)[ \t]*Databricks notebook source[ \t]*\r?(?:\n|\Z)")
_SQL_CALL = re.compile(r"\b(?P<name>sql)\s*\(")
_LANGUAGE = {"sql": "sql", "py": "python", "scala": "scala", "r": "r"}


class _Cell(NamedTuple):
    """A cell: where it stands, its text with the signs before magic lines blanked out, whether it had any."""

    span: Span
    text: str
    magic: bool


def is_databricks(text: str) -> bool:
    """Whether a file's text is a Databricks notebook."""
    return _HEADER.match(text) is not None


def read_databricks(path: str, text: str, encoding: str) -> list[SourceScript]:
    """The script in a notebook's source; a second one, with a problem, if its Python cannot be read."""
    header = _HEADER.match(text)
    sign = header["sign"] if header else "--"
    ending = path.rpartition(".")[2].lower()
    language = _LANGUAGE.get(ending, "sql" if sign == "--" else "python")
    pieces: list[Piece] = []
    python: list[Piece] = []
    skipped = 0
    for cell in _cells(text, header.end() if header else 0, sign):
        spoken, begin = _language(cell, language)
        if spoken == "python":
            python.append(Piece(cell.span, _program(cell.text, begin), ends=False))
        elif spoken in ("scala", "r"):
            calls = unread_calls(cell.text)
            skipped += len(calls)
            pieces += (Piece(_moved(call.span, cell.span.start), call.sql) for call in calls)
        else:
            pieces += _pieces(cell, spoken, begin, text)
    found = read_python(laid_out(text, python))
    script = SourceScript(
        path, laid_out(text, [*pieces, *found.pieces]), "databricks", "databricks", None, None, encoding
    )
    return with_problem(replace(script, skipped=skipped + found.skipped), found.problem)


def unread_calls(program: str) -> list[Piece]:
    """What stands for the SQL that a program in a language that is not read here seems to be given, at each call."""
    return [Piece(Span(*m.span("name")), given_text(m["name"], "…")) for m in _SQL_CALL.finditer(program)]


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _language(cell: _Cell, default: str) -> tuple[str, int]:
    """The language of a cell, and where its text begins behind the magic."""
    if not cell.magic:
        return default, 0
    magic = magic_of(cell.text)
    if magic is None:
        return "", 0
    if magic.word in SQL_MAGICS:
        return "sql", sql_begins(cell.text, magic)
    return {"py": "python"}.get(magic.word, magic.word), magic.end


def _from(cell: str, begin: int) -> str:
    return blanks(cell[:begin]) + cell[begin:]


def _program(cell: str, begin: int) -> str:
    """A Python cell as a block: behind a magic, all of its lines are indented."""
    if begin == 0 or not cell[begin:].strip():
        return _from(cell, begin)
    line = cell.rfind("\n", 0, begin) + 1
    return f"{blanks(cell[:line])}{'if 1:':<{begin - line}}{cell[begin:]}"


def _pieces(cell: _Cell, language: str, begin: int, text: str) -> Iterator[Piece]:
    if language == "sql":
        yield Piece(cell.span, _from(cell.text, begin))
    elif language == "run":
        yield Piece(cell.span, _as_comment(text[cell.span.start : cell.span.end]), ends=False)


def _cells(text: str, start: int, sign: str) -> Iterator[_Cell]:
    """The cells behind the header, between the lines that part them."""
    parting = re.compile(rf"^{re.escape(sign)}[ \t]*COMMAND[ \t]*-{{3,}}[^\n]*$", re.MULTILINE)
    for line in parting.finditer(text, start):
        yield _cell(text, Span(start, line.start()), sign)
        start = line.end()
    yield _cell(text, Span(start, len(text)), sign)


def _cell(text: str, span: Span, sign: str) -> _Cell:
    prefix = re.compile(rf"^{re.escape(sign)}[ \t]*(?:MAGIC\b|DBTITLE\b[^\n]*)[ \t]?", re.MULTILINE)
    content = text[span.start : span.end]
    magic = re.search(rf"^{re.escape(sign)}[ \t]*MAGIC\b", content, re.MULTILINE) is not None
    return _Cell(span, prefix.sub(lambda m: " " * len(m.group()), content), magic)


def _as_comment(cell: str) -> str:
    """The lines of a `%run` cell as SQL comments, as wide as they were."""
    lines = (f"--{line[2:]}" if "MAGIC" in line[:9] else " " * len(line) for line in cell.split("\n"))
    return "\n".join(lines)
