"""A file of SQLMesh, cut into models and audits: a header, statements, and the query, which is the last of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from headwater.project.sqlmesh.header import Header, read_header
from headwater.project.sqlmesh.words import Word, bare, closing, words

_HEADERS = frozenset({"MODEL", "AUDIT", "METRIC"})
_JINJA = re.compile(
    r"\bJINJA_(?P<kind>QUERY|STATEMENT)_BEGIN\b\s*;?(?P<body>.*?)(?:\bJINJA_END\b\s*;?|\Z)", re.DOTALL | re.IGNORECASE
)
_VIRTUAL = frozenset({"ON_VIRTUAL_UPDATE_BEGIN", "ON_VIRTUAL_UPDATE_END"})
_QUERIES = frozenset({"SELECT", "WITH", "FROM", "VALUES", "TABLE", "("})


class BrokenHeader(ValueError):
    """A header whose brackets are not closed; *offset* is where."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


class Piece(NamedTuple):
    """A statement as it is written."""

    text: str
    offset: int
    """Where its first character stands that is no space."""
    jinja: bool = False
    is_query: bool = False
    """Whether it looks like a query."""


@dataclass(slots=True)
class Definition:
    """A model or audit."""

    header: Header
    offset: int
    pieces: list[Piece] = field(default_factory=list)

    @property
    def query(self) -> int | None:
        """The number of its query: the last piece that looks like one; else the last that is a macro's call."""
        queries = [number for number, piece in enumerate(self.pieces) if piece.is_query]
        calls = [
            number for number, piece in enumerate(self.pieces) if re.match(r"@(?!DEF\b)\w+\s*\(", piece.text, re.I)
        ]
        return next(reversed(queries or calls), None)


def read_definitions(text: str, dialect: str = "") -> list[Definition]:
    """The models and audits of a file; what stands before the first header is left out. Raises `BrokenHeader`.

    >>> [found] = read_definitions("MODEL (name a.b); SELECT 1 AS x")
    >>> found.header.text("name"), found.pieces[0].text
    ('a.b', 'SELECT 1 AS x')
    """
    found: list[Definition] = []
    for piece in _pieces(text, dialect):
        header = None if piece.jinja else _header(piece, text, dialect)
        if header is not None:
            found.append(Definition(header, piece.offset))
        elif found:
            found[-1].pieces.append(piece)
    return found


def _pieces(text: str, dialect: str) -> Iterator[Piece]:
    at = 0
    for match in _JINJA.finditer(text):
        yield from _statements(text[at : match.start()], at, dialect)
        body = match["body"]
        offset = match.start("body") + len(body) - len(body.lstrip())
        yield Piece(body.strip(), offset, jinja=True, is_query=match["kind"].upper() == "QUERY")
        at = match.end()
    yield from _statements(text[at:], at, dialect)


def _statements(text: str, offset: int, dialect: str) -> Iterator[Piece]:
    piece: list[Word] = []
    for word in (*words(text, dialect), Word("mark", ";", len(text))):
        if word.text != ";":
            piece.append(word)
            continue
        real = bare(piece)
        if real and real[0].text.upper() not in _VIRTUAL:
            start = real[0].start
            is_query = real[0].text.upper() in _QUERIES
            yield Piece(text[start : word.start].rstrip(), offset + start, is_query=is_query)
        piece = []


def _header(piece: Piece, text: str, dialect: str) -> Header | None:
    if not re.match(r"(?:MODEL|AUDIT|METRIC)\s*\(", piece.text, re.IGNORECASE):
        return None
    found = words(piece.text, dialect)
    start = next(number for number, word in enumerate(found) if word.text == "(")
    end = closing(found, start)
    if end is None:
        raise BrokenHeader(f"the brackets of {found[0].text.upper()} are not closed", piece.offset)
    return read_header(found[0].text, found[start + 1 : end])
