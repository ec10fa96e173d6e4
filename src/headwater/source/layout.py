"""SQL at the places where it stands in a file that is not all SQL: everything else becomes blanks, lines stay lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from headwater.model.span import Span

_NO_CODE = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))|(?P<blank>\s+)", re.DOTALL)


class Piece(NamedTuple):
    """A stretch of a file, and the SQL that stands there: as long as the stretch, or longer at the end of a line."""

    span: Span
    sql: str
    ends: bool = True
    """Whether a statement ends behind it."""


def blanks(text: str) -> str:
    """As many blanks as a text has characters; its line feeds stay."""
    if "\n" not in text:
        return " " * len(text)
    return "\n".join([" " * len(line) for line in text.split("\n")])


def laid_out(text: str, pieces: Iterable[Piece]) -> str:
    """The SQL of pieces that do not overlap, each at its place in the text, and ended by a semicolon if it is to end."""
    parts: list[str] = []
    end = longer = 0
    for piece in sorted(pieces):
        sql = ended(piece.sql) if piece.ends else piece.sql
        parts += (_shortened(blanks(text[end : piece.span.start]), longer), sql)
        end = piece.span.end
        longer = _last_line(sql) - _last_line(text[piece.span.start : end])
    return "".join(parts)


def _last_line(text: str) -> int:
    """The length of a text's last line."""
    return len(text) - text.rfind("\n") - 1


def _shortened(gap: str, by: int) -> str:
    """A gap of blanks with less of them on its first line: as many as the piece before it is too long."""
    line, feed, rest = gap.partition("\n")
    return line[max(by, 0) :] + feed + rest


def ended(sql: str) -> str:
    """SQL with a semicolon behind its last word, unless it has one or says nothing; no word changes its place.

    >>> ended("SELECT 1 -- one")
    'SELECT 1;-- one'
    """
    at = _end_of_code(sql)
    if at == 0 or sql[at - 1] == ";":
        return sql
    room = 1 if sql[at : at + 1] in (" ", "\t") else 0
    return f"{sql[:at]};{sql[at + room :]}"


def _end_of_code(sql: str) -> int:
    """Where the last thing ends that is neither blank nor comment."""
    end = at = 0
    for match in _NO_CODE.finditer(sql):
        if match.start() > at:
            end = match.start()
        at = match.end()
        if match.lastgroup is None:
            end = at
    return len(sql) if at < len(sql) else end
