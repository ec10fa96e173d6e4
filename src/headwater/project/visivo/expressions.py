"""Texts that are made of data, as expressions: `?{…}`, `query(…)`, `column(…)`, references, and SQL that is written plainly.

What the environment holds may be a secret, so a variable's value enters SQL only where a name stands: `FROM ${env.SCHEMA}.orders`.
Anywhere else it is its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from headwater.model.diagnostic import Code
from headwater.model.suggestion import did_you_mean
from headwater.project.objects import Expression, Property, Reference
from headwater.project.text import Path, Piece, Variable, closing, pieces
from headwater.project.visivo.reading import Reading
from headwater.project.visivo.value import Empty, Entries, Items, Text, Value

Columns = Mapping[str, Expression]
"""Expressions of a trace by the names that it gives them under `columns`."""

NO_COLUMNS: Columns = MappingProxyType({})
_SLICE = re.compile(r"\[[-\d:,\s]*\]$")
_COLUMN_PATH = re.compile(r"columns\.(\w+)(?:\[[-\d:,\s]*\])?")
_NAME = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*")
_BEFORE_NAME = re.compile(r"(?:\.|\b(?:from|join)\s+)$", re.IGNORECASE)


def sql(reading: Reading, text: Text, columns: Columns = NO_COLUMNS) -> Expression:
    """A text that is SQL, whether it says so by `?{…}` or not."""
    return marked(reading, text, columns) or _stretch(reading, text, 0, len(text.value), columns)


def marked(reading: Reading, text: Text, columns: Columns = NO_COLUMNS) -> Expression | None:
    """The SQL of a text that says that it is SQL; None for any other text."""
    for opening, bracket in (("?{", "{"), ("query(", "(")):
        start = len(text.value) - len(text.value.lstrip())
        if not text.value.startswith(opening, start):
            continue
        end = _end(text.value, start + len(opening) - 1, bracket)
        if end < 0:
            hint = "close the bracket; after it only a slice such as [0] may stand"
            reading.remark(Code.INVALID_PROJECT, f"{opening} has no end", text.at(start), opening, hint)
            return None
        path = _COLUMN_PATH.fullmatch(text.value[start + len(opening) : end].strip())
        if path is not None and path[1] in columns:
            return columns[path[1]]
        return _stretch(reading, text, start + len(opening), end, columns)
    return None


def _end(value: str, opening: int, bracket: str) -> int:
    """Where the bracket around a whole text is closed. A quote inside may have no partner; then it is the last bracket."""
    whole = _SLICE.sub("", value.rstrip()).rstrip()
    end = closing(whole, opening)
    if end == len(whole) - 1:
        return end
    return len(whole) - 1 if whole.endswith({"{": "}", "(": ")"}[bracket]) else -1


def data(reading: Reading, text: Text, columns: Columns = NO_COLUMNS) -> Expression | None:
    """What a text takes from data; None for one that is constant."""
    if text.value.lstrip().startswith("column("):
        return _column(reading, text, columns)
    return marked(reading, text, columns) or _template(reading, text, columns)


def properties(reading: Reading, value: Value | None, path: str, columns: Columns = NO_COLUMNS) -> Iterator[Property]:
    """The properties below a value that are made of data, by their dotted paths: `marker.color`, `z.0`."""
    if isinstance(value, Text):
        expression = data(reading, value, columns)
        if expression is not None:
            yield Property(path, expression)
    elif value is not None and not isinstance(value, Empty):
        below = value.values.items() if isinstance(value, Entries) else enumerate(value.values)
        for key, inner in below:
            yield from properties(reading, inner, f"{path}.{key}" if path else str(key), columns)


def _column(reading: Reading, text: Text, columns: Columns) -> Expression | None:
    """`column(week)[0]`: what the trace says under `columns`."""
    opening = text.value.index("(")
    end = closing(text.value, opening)
    name = text.value[opening + 1 : end].strip() if end >= 0 else ""
    if name in columns:
        return columns[name]
    if columns:
        message = f"there is no column {name} here"
        reading.remark(Code.UNKNOWN_REFERENCE, message, text.at(0), name, did_you_mean(name, columns))
    return None


def _template(reading: Reading, text: Text, columns: Columns) -> Expression | None:
    """A text with references in it, which is no SQL: its own words are strings that are put together with what the references give."""
    found = list(pieces(text.value))
    if not any(isinstance(piece.part, Reference) or _own_column(piece, columns) for piece in found):
        return None
    parts: list[str | Reference] = []
    for piece in found:
        if isinstance(piece.part, str) and not piece.part.strip() and piece in (found[0], found[-1]):
            continue
        if isinstance(piece.part, Path) and _SLICE.fullmatch(text.value[piece.start : piece.end]):
            continue
        parts += [" || "] if parts else []
        own = _own_column(piece, columns)
        if isinstance(piece.part, Reference):
            parts.append(piece.part)
        elif own is not None:
            parts += ["(", *own.parts, ")"] if len(found) > 1 else own.parts
        else:
            constant = text.value[piece.start : piece.end].replace("'", "''")
            parts.append(f"'{constant}'")
    return Expression(tuple(_joined(parts)), text.at(0))


def _own_column(piece: Piece, columns: Columns) -> Expression | None:
    path = _COLUMN_PATH.fullmatch(piece.part.text) if isinstance(piece.part, Path) else None
    return columns.get(path[1]) if path else None


def _stretch(reading: Reading, text: Text, start: int, end: int, columns: Columns) -> Expression:
    """A stretch of a text, which is SQL."""
    value = text.value[:end].rstrip()
    start += len(value[start:]) - len(value[start:].lstrip())
    parts: list[str | Reference] = []
    for piece in pieces(value, start):
        own = _own_column(piece, columns)
        if isinstance(piece.part, Reference):
            parts.append(piece.part)
        elif own is not None:
            parts += ["(", *own.parts, ")"]
        else:
            parts.append(plain(reading, text, piece))
    return Expression(tuple(_joined(parts)), text.at(start))


def plain(reading: Reading, text: Text, piece: Piece) -> str:
    """A piece of SQL that is no reference, as text."""
    written = text.value[piece.start : piece.end]
    if isinstance(piece.part, Variable):
        filled = reading.variable(piece.part, text.at(piece.start))
        if _stands_for_name(text.value, piece) and _NAME.fullmatch(filled):
            return filled
        in_string = text.value[: piece.start].count("'") % 2
        return written if in_string else piece.part.name
    if isinstance(piece.part, Path) and piece.part.text.startswith("project."):
        return _at_path(reading, piece.part) or written
    return written


def _stands_for_name(value: str, piece: Piece) -> bool:
    """Whether a piece is a table's name or a part of it."""
    before = value[max(0, piece.start - 50) : piece.start]
    in_string = value[: piece.start].count("'") % 2
    return not in_string and (value.startswith(".", piece.end) or _BEFORE_NAME.search(before) is not None)


def _at_path(reading: Reading, path: Path) -> str:
    """The text that stands at a path through the project file; empty if there is none."""
    value: Value | None = reading.root
    for step in re.findall(r"[^.\[\]]+", path.text)[1:]:
        if isinstance(value, Entries):
            value = value.get(step)
        elif isinstance(value, Items) and step.isdigit() and int(step) < len(value.values):
            value = value.values[int(step)]
        else:
            return ""
    return value.value if isinstance(value, Text) else ""


def _joined(parts: list[str | Reference]) -> Iterator[str | Reference]:
    """The same with neighbouring texts in one."""
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        if text:
            yield text
        yield part
        text = ""
    if text:
        yield text
