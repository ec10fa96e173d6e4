"""Texts that are made of data, as expressions: `?{…}`, `query(…)`, `column(…)`, references, and SQL that is written plainly.

What the environment holds may be a secret, so a variable's value enters SQL only where a name stands: `FROM ${env.SCHEMA}.orders`.
Anywhere else it is its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from headwater.model.diagnostic import Code
from headwater.model.suggestion import did_you_mean
from headwater.project.objects import Expression, Property, Reference
from headwater.project.text import Path, Piece, Variable, closing, pieces
from headwater.project.visivo.reading import Reading
from headwater.project.yaml_value import Empty, Entries, Items, Text, Value

Columns = Mapping[str, Expression]
"""Expressions of a trace by the names that it gives them under `columns`."""

NO_COLUMNS: Columns = MappingProxyType({})
_SLICE = re.compile(r"\[[-\d:,\s]*\]$")
_COLUMN_PATH = re.compile(r"columns\.(\w+)(?:\[[-\d:,\s]*\])?")
_NAME = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*")
_SECRETIVE = frozenset({"source", "sources", "target", "targets", "alerts", "destinations"})
_HARMLESS = frozenset({"name", "type", "database", "db_schema", "project"})
_BEFORE_NAME = re.compile(r"(?:\.|\b(?:from|join)\s+)$", re.IGNORECASE)


def sql(reading: Reading, text: Text, columns: Columns = NO_COLUMNS) -> Expression:
    """A text that is SQL, whether it says so by `?{…}` or not."""
    return marked(reading, text, columns) or _stretch(reading, text, 0, len(text.value), columns)


def marked(reading: Reading, text: Text, columns: Columns = NO_COLUMNS) -> Expression | None:
    """The SQL of a text that says that it is SQL; None for any other text."""
    start = len(text.value) - len(text.value.lstrip())
    opening = next((opening for opening in ("?{", "query(") if text.value.startswith(opening, start)), None)
    if opening is None:
        return None
    inside = start + len(opening)
    end = _end(text.value, inside - 1)
    if end < 0:
        hint = "close the bracket; after it only a slice such as [0] may stand"
        reading.remark(Code.INVALID_PROJECT, f"{opening} has no end", text.at(start), opening, hint)
        closed = closing(text.value, inside - 1)
        end = closed if closed >= 0 else len(text.value)
    path = _COLUMN_PATH.fullmatch(text.value[inside:end].strip())
    if path is not None and path[1] in columns:
        return columns[path[1]]
    return _stretch(reading, text, inside, end, columns)


def _end(value: str, opening: int) -> int:
    """Where the bracket around a whole text is closed, or -1. A quote inside may have no partner; then it is the last bracket."""
    whole = _SLICE.sub("", value.rstrip()).rstrip()
    end = closing(whole, opening)
    last = len(whole) - 1
    return last if end == last or (end < 0 and whole.endswith("}" if whole[opening] == "{" else ")")) else -1


def data(reading: Reading, text: Text, columns: Columns = NO_COLUMNS) -> Expression | None:
    """What a text takes from data; None for one that is constant."""
    return own_column(reading, text, columns) or marked(reading, text, columns) or _template(text, columns)


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


def own_column(reading: Reading, text: Text, columns: Columns) -> Expression | None:
    """What a trace says under `columns`, for a text such as `column(week)[0]`; None for any other."""
    start = len(text.value) - len(text.value.lstrip())
    if not columns or not text.value.startswith("column(", start):
        return None
    opening = text.value.index("(")
    end = closing(text.value, opening)
    name = text.value[opening + 1 : end].strip() if end >= 0 else ""
    if name not in columns:
        message = f"there is no column {name} here"
        reading.remark(Code.UNKNOWN_REFERENCE, message, text.at(start), name, did_you_mean(name, columns))
    return columns.get(name)


def _template(text: Text, columns: Columns) -> Expression | None:
    """A text with references in it, which is no SQL: its own words are strings that are put together with what the references give."""
    value = text.value.strip()
    value = _SLICE.sub("", value) if value.startswith("${") else value
    found = list(pieces(value))
    if not any(isinstance(piece.part, Reference) or _column_of_path(piece, columns) for piece in found):
        return None
    parts: list[str | Reference] = []
    for piece in found:
        parts += [" || "] if parts else []
        own = _column_of_path(piece, columns)
        if isinstance(piece.part, Reference):
            parts.append(piece.part)
        elif own is not None:
            parts += ["(", *own.parts, ")"] if len(found) > 1 else own.parts
        else:
            constant = value[piece.start : piece.end].replace("'", "''")
            parts.append(f"'{constant}'")
    return Expression(joined(parts), text.at(0))


def _column_of_path(piece: Piece, columns: Columns) -> Expression | None:
    path = _COLUMN_PATH.fullmatch(piece.part.text) if isinstance(piece.part, Path) else None
    return columns.get(path[1]) if path else None


def _stretch(reading: Reading, text: Text, start: int, end: int, columns: Columns) -> Expression:
    """A stretch of a text, which is SQL."""
    value = text.value[:end].rstrip()
    start += len(value[start:]) - len(value[start:].lstrip())
    parts: list[str | Reference] = []
    for piece in filled(reading, text, start, len(value)):
        own = _column_of_path(piece, columns)
        if own is not None:
            parts += ["(", *own.parts, ")"]
        else:
            parts.append(piece.part if isinstance(piece.part, (str, Reference)) else value[piece.start : piece.end])
    return Expression(joined(parts), text.at(start))


def filled(reading: Reading, text: Text, start: int, end: int) -> Iterator[Piece]:
    """The pieces of SQL, with texts in place of variables and of paths through the project."""
    value = text.value[:end]
    quotes = 0
    for piece in pieces(value, start):
        part = piece.part
        if isinstance(part, str):
            quotes += part.count("'")
        elif isinstance(part, Variable):
            in_string = quotes % 2 == 1
            known = reading.variable(part, text, piece.start)
            if not in_string and _stands_for_name(value, piece) and _NAME.fullmatch(known):
                part = known
            else:
                part = value[piece.start : piece.end] if in_string else part.name
        elif isinstance(part, Path) and part.text.startswith("project."):
            part = _at_path(reading, part) or part
        yield piece._replace(part=part)


def _stands_for_name(value: str, piece: Piece) -> bool:
    """Whether a piece of SQL is a table's name or a part of it."""
    before = value[max(0, piece.start - 50) : piece.start]
    return value.startswith(".", piece.end) or _BEFORE_NAME.search(before) is not None


def _at_path(reading: Reading, path: Path) -> str:
    """The text that stands at a path through the project file; empty if there is none, or if it may be a secret."""
    value: Value | None = reading.root
    steps = re.findall(r"[^.\[\]]+", path.text)[1:]
    if not _SECRETIVE.isdisjoint(steps) and steps[-1] not in _HARMLESS:
        return ""
    for step in steps:
        if isinstance(value, Entries):
            value = value.get(step)
        elif isinstance(value, Items) and step.isdecimal() and int(step) < len(value.values):
            value = value.values[int(step)]
        else:
            return ""
    return value.value if isinstance(value, Text) else ""


def joined(parts: Iterable[str | Reference]) -> tuple[str | Reference, ...]:
    """The same parts with neighbouring texts in one, and none that is empty."""
    found: list[str | Reference] = []
    for part in parts:
        if isinstance(part, str) and found and isinstance(found[-1], str):
            found[-1] += part
        elif part:
            found.append(part)
    return tuple(found)
