"""What a statement says by itself, wherever in a script it stands; and the statements of a script that can be read by themselves.

Jobs and logs repeat each other's statements to the letter. So a plain script is taken apart at its semicolons, and what stands between
two of them is looked up in a memory before anybody tokenises it. A stretch that is not the same wherever it stands (a semicolon inside a
literal, a procedural block) is left for the script's tokeniser, with all that follows it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from headwater.model.entity import TableName
from headwater.model.span import Span
from headwater.procedural import resolutions
from headwater.resolve import Session
from headwater.sql.dialect import Dialect, dialect
from headwater.sql.fingerprint import fingerprint
from headwater.sql.mentions import Mentions, mentions
from headwater.sql.parse import parse
from headwater.sql.redact import is_suspicious
from headwater.sql.source import Source
from headwater.sql.split import Piece, stretch_pieces
from headwater.sql.statement import query_hash
from headwater.sql.stretch import stretches
from headwater.sql.target import table_name, target_of, with_target

_SESSION_WORDS = frozenset({"USE", "SET", "DATABASE", "ALTER", "SWITCH", "OPEN"})
"""First words of statements that may change the default schema."""
_SHORT = 30
"""Tokens that a statement which names a schema cannot have."""
_REMEMBERED = 16_384
"""Stretches that are remembered, at about two kilobytes each."""
_LONGEST = 4_000
"""Characters of the longest of them."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a statement says by itself."""

    span: Span
    """Its place in what it was read from."""
    readable: str | None
    """The text as the tokeniser reads it, where that is not the raw one."""
    default_schema: TableName | None
    after: TableName | None
    """The default schema behind it."""
    fingerprint: str
    """The text, but for what cannot change what it means."""
    query_hash: str
    """MD5 of its redacted text."""
    mentions: Mentions
    target: str = ""
    """The table that it fills although its text does not say so (`sql.target`)."""


def said_by(piece: Piece, spoken: Dialect, default: TableName | None) -> Said:
    """What a piece says, under a default schema."""
    start, end = piece.span
    raw, readable = piece.source.raw[start:end], piece.source.readable[start:end]
    redacted = piece.text.slice(start, end)
    plain = redacted == raw == readable and piece.problem is None and piece.block is None
    return Said(
        piece.span,
        None if readable == raw else readable,
        default,
        _after(piece, spoken, default),
        with_target(fingerprint(piece.tokens, piece.source.raw) if plain else redacted, piece.target),
        query_hash(with_target(redacted, piece.target)),
        mentions_of(piece, spoken, default),
        piece.target,
    )


def mentions_of(piece: Piece, spoken: Dialect, default: TableName | None) -> Mentions:
    """What a piece names and defines."""
    found = mentions(piece.tokens, spoken, default)
    if not piece.target:
        return found
    table = table_name(piece.target, spoken)
    table = (*default[: len(default) + 1 - len(table)], *table) if default and len(table) <= len(default) else table
    return replace(found, named=(*found.named, table), defined=(*found.defined, table))


def _after(piece: Piece, spoken: Dialect, default: TableName | None) -> TableName | None:
    if not piece.tokens:
        return default
    if piece.block is None and (piece.tokens[0].text.upper() not in _SESSION_WORDS or len(piece.tokens) > _SHORT):
        return default
    if piece.block is not None and (piece.block.kind != "script" or not _has_session_words(piece)):
        return default
    for _, resolution in resolutions(parse(piece, spoken), Session(default_schema=default)):
        default = resolution.default_schema or default
    return default


def _has_session_words(piece: Piece) -> bool:
    return any(token.text.upper() in _SESSION_WORDS for token in piece.tokens)


_ID_OF_RESULT = re.compile("last_query_id", re.IGNORECASE)


class Alone(NamedTuple):
    """What the first statements of a script say, each with the offset that its span counts from; and where those begin that are left."""

    said: list[tuple[int, Said]]
    end: int


def read_alone(made: Source, spoken: Dialect, default: TableName | None) -> Alone:
    """The statements of a script that can be read by themselves, up to the first that cannot.

    Of a script that may hold secrets, there are none: secrets are looked for in all of it.
    """
    found: list[tuple[int, Said]] = []
    sql = made.raw
    if not made.is_plain or spoken.batch_separator or spoken.optional_semicolons or is_suspicious(sql):
        return Alone(found, 0)
    if target_of(sql):
        return Alone(found, 0)
    if spoken.family == "snowflake" and _ID_OF_RESULT.search(sql):
        return Alone(found, 0)  # a query may be asked for its result by the next one
    for start, end in stretches(sql):
        text = sql[start:end]
        said = _statements(text, spoken, default)
        if said is None:
            return Alone(found, start)
        found += [(start, each) for each in said]
        default = said[-1].after if said else default
    return Alone(found, len(sql))


def _statements(text: str, spoken: Dialect, default: TableName | None) -> tuple[Said, ...] | None:
    if text.endswith("-"):
        return None  # MySQL's `--` is a comment at the end of a script, and none before a semicolon
    read = _remembered if len(text) <= _LONGEST else _read
    return read(text if text.endswith(";") else f"{text};", spoken.name, default)


def _read(text: str, spoken: str, default: TableName | None) -> tuple[Said, ...] | None:
    """What a stretch, with its semicolon, says; None if that depends on what is around it."""
    known = dialect(spoken)
    found = stretch_pieces(text, known)
    if found is None:
        return None
    said: list[Said] = []
    for piece in found:
        said.append(said_by(piece, known, default))
        default = said[-1].after
    return tuple(said)


_remembered = lru_cache(maxsize=_REMEMBERED)(_read)
