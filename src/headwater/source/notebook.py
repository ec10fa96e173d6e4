"""Jupyter notebooks: the SQL of all cells in order, and of the Python between.

Nobody sees the lines of a notebook's JSON, so positions are those of its cells' sources (of every kind) one below the other: the first
line of the second cell comes right behind the last line of the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from headwater.files import parse_json
from headwater.model.span import Span
from headwater.source.layout import Piece, blanks, laid_out
from headwater.source.magic import SQL_MAGICS, TRANSPARENT, magic_of, sql_begins, sql_lines
from headwater.source.python import Found, read_python
from headwater.source.script import SourceScript, with_problem

_MAX_CHARACTERS = 64_000_000
"""Characters of a notebook, with all that its cells have printed."""
_DATABRICKS = "application/vnd.databricks.v1+"
_SHELL = re.compile(r"^(?P<indent>[ \t]*)(?:(?:\w[\w, \t]*=[ \t]*)?[%!?][^\n]*|[\w.]+\?{1,2}[ \t]*$)", re.MULTILINE)
"""Lines for IPython, which are no Python."""


class _Cell(NamedTuple):
    """A cell: its number, where its source stands among all, that source, and its language."""

    number: int
    span: Span
    source: str
    language: str


def read_notebook(path: str, text: str, encoding: str) -> list[SourceScript]:
    """The script of a notebook; a second one, with a problem, if a Python cell cannot be read."""
    try:
        _check_size(text)
        cells = list(_cells(parse_json(text)))
    except ValueError as error:
        return [SourceScript(path, "", "notebook", encoding=encoding, problem=f"this is not a notebook: {error}")]
    joined = "\n".join(cell.source for cell in cells)
    found = _python(cells)
    pieces = [*found.pieces, *(piece for cell in cells for piece in _pieces(cell))]
    script = SourceScript(
        path, laid_out(joined, pieces), "notebook", _dialect(cells), None, None, encoding, "", found.skipped
    )
    return with_problem(script, found.problem)


def _check_size(text: str) -> None:
    if len(text) > _MAX_CHARACTERS:
        raise ValueError(f"it has more than {_MAX_CHARACTERS:,} characters; clear the outputs of its cells")


def _cells(content: Any) -> Iterator[_Cell]:
    """The cells of a notebook, of whatever version; what is not built like one is an error."""
    if not isinstance(content, dict):
        raise ValueError("there are no cells")
    metadata = _mapping(content.get("metadata"))
    start = 0
    for number, cell in enumerate(_listed(content), 1):
        source = _source(cell, number)
        yield _Cell(number, Span(start, start + len(source)), source, _language(cell, source, metadata))
        start += len(source) + 1


def _listed(content: dict[str, Any]) -> list[Any]:
    found = content.get("cells")
    if found is None:
        sheets = content.get("worksheets")
        found = [c for s in sheets for c in _mapping(s).get("cells", [])] if isinstance(sheets, list) else None
    if not isinstance(found, list):
        raise ValueError("there are no cells")
    return found


def _source(cell: Any, number: int) -> str:
    source = _mapping(cell).get("source", _mapping(cell).get("input", ""))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    if not isinstance(source, str):
        raise ValueError(f"cell {number} has no source")
    return source


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _language(cell: Any, source: str, metadata: dict[str, Any]) -> str:
    """A cell's language: what its magic says, else its own metadata, else the notebook's; empty if it is no code."""
    if _mapping(cell).get("cell_type") not in ("code", "sql"):
        return ""
    magic = magic_of(source)
    own = _own_language(_mapping(_mapping(cell).get("metadata")))
    default = own or _default_language(metadata)
    if cell["cell_type"] == "sql":
        return "sql"
    if magic is None:
        return default
    if magic.word in SQL_MAGICS:
        return "sql" if _is_whole(source, magic.sign, magic.end, metadata) else default
    if magic.word in TRANSPARENT:
        return "python"
    return default if magic.sign == "%" and f"{_DATABRICKS}notebook" not in metadata else ""


def _is_whole(source: str, sign: str, end: int, metadata: dict[str, Any]) -> bool:
    """Whether an SQL magic is about its cell: `%sql` with SQL behind it is about its line, but for Databricks."""
    if sign != "%" or f"{_DATABRICKS}notebook" in metadata:
        return True
    return not source[end:].partition("\n")[0].strip()


def _own_language(metadata: dict[str, Any]) -> str:
    named = (
        _mapping(metadata.get("vscode")).get("languageId"),
        _mapping(metadata.get("polyglot_notebook")).get("kernelName"),
        _mapping(metadata.get("dotnet_interactive")).get("language"),
        _mapping(metadata.get(f"{_DATABRICKS}cell")).get("language"),
        metadata.get("language"),
    )
    return next((_plain(name) for name in named if isinstance(name, str) and name), "")


def _default_language(metadata: dict[str, Any]) -> str:
    named = (
        _mapping(metadata.get(f"{_DATABRICKS}notebook")).get("language"),
        _mapping(metadata.get("kernelspec")).get("language"),
        _mapping(metadata.get("language_info")).get("name"),
        _mapping(metadata.get("kernelspec")).get("name"),
    )
    return next((_plain(name) for name in named if isinstance(name, str) and name), "python")


def _plain(language: str) -> str:
    """`Python3`, `pyspark` and `SQL` by one name each; what names a language of SQL's family is SQL."""
    lowered = language.lower()
    if "python" in lowered or "pyspark" in lowered:
        return "python"
    return "sql" if re.search(r"(?:^|[^\w])(?:\w*sql)\b", lowered) else lowered


def _pieces(cell: _Cell) -> Iterator[Piece]:
    """The SQL of a cell: all of an SQL cell, or of single lines of a Python cell."""
    if cell.language == "sql":
        magic = magic_of(cell.source)
        begin = sql_begins(cell.source, magic) if magic is not None else 0
        yield Piece(cell.span, blanks(cell.source[:begin]) + cell.source[begin:])
    elif cell.language == "python":
        for start, end in sql_lines(cell.source):
            yield Piece(Span(cell.span.start + start, cell.span.start + end), cell.source[start:end])


def _dialect(cells: list[_Cell]) -> str | None:
    """BigQuery, if all SQL cells are for it."""
    magics = [magic_of(cell.source) for cell in cells if cell.language == "sql"]
    words = {magic.word if magic else "" for magic in magics}
    return "bigquery" if words and words <= {"bigquery", "bq"} else None


def _python(cells: list[_Cell]) -> Found:
    """The SQL in the Python cells, read as one program; cells that are no Python are left out and named."""
    sources = {cell.number: _as_python(cell) for cell in cells}
    found = read_python("\n".join(sources.values()))
    if not found.problem:
        return found
    problems = {number: read_python(source).problem for number, source in sources.items()}
    broken = [f"cell {number}, {problem}" for number, problem in problems.items() if problem]
    left = "\n".join(blanks(source) if problems[number] else source for number, source in sources.items())
    return replace(read_python(left), problem="; ".join(broken))


def _as_python(cell: _Cell) -> str:
    """The source of a Python cell, with a `0` for each of IPython's own lines if it has such; blanks for any other cell."""
    if cell.language != "python":
        return blanks(cell.source)
    if not read_python(cell.source).problem:
        return cell.source
    return _SHELL.sub(lambda line: f"{line['indent']}0".ljust(len(line.group())), cell.source)
