"""One script to cuts: the stretches that are analysed by themselves, with what each of them needs to know.

A cut is a statement, as a rule; a script whose statements cannot be told apart from their text alone (a template with branches, a script
with MySQL's DELIMITER) is one cut. A cut knows the default schema at its place, the tables it may name and define, and whether
it hangs on something temporary, so that the same text elsewhere may mean something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headwater.model.diagnostic import Diagnostic
from headwater.model.entity import TableName
from headwater.model.span import LineIndex, Position, Span
from headwater.resolve import Session, resolve
from headwater.sql.dialect import Dialect, dialect
from headwater.sql.fingerprint import fingerprint
from headwater.sql.mentions import Mentions, mentions
from headwater.sql.parse import parse
from headwater.sql.redact import Redacted
from headwater.sql.source import Source, source
from headwater.sql.split import Piece, pieces
from headwater.sql.statement import query_hash

_SESSION_WORDS = frozenset({"USE", "SET", "DATABASE", "ALTER"})
"""First words of statements that may change the default schema."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of a script that is analysed by itself."""

    span: Span
    position: Position
    raw: str
    readable: str | None
    """The text as the tokeniser reads it, where that is not the raw one."""
    default_schema: TableName | None
    fingerprint: str
    """The text, but for what cannot change what it means."""
    query_hash: str
    """MD5 of its redacted text."""
    mentions: Mentions
    scoped: bool
    """Whether its meaning hangs on something temporary of its script."""


@dataclass(frozen=True, slots=True)
class CutScript:
    """A script's cuts, its redacted text, and what is to be said of it as a whole."""

    cuts: tuple[Cut, ...]
    text: str
    remarks: tuple[tuple[Diagnostic, Position | None], ...]


def cut(sql: str, dialects: Sequence[str], default_schema: str) -> CutScript:
    """The cuts of a script, by the first of its dialects."""
    spoken = dialect(dialects[0])
    default = tuple(spoken.spelled_table(part) for part in default_schema.split(".")) if default_schema else None
    made = source(sql, spoken)
    found = pieces(made, spoken)
    text = found[0].text if found else Redacted(sql, [])
    lines = LineIndex(sql)
    if made.tags or made.uncut:
        cuts = _whole(sql, found, spoken, default)
    else:
        cuts = tuple(_cuts(made, found, spoken, default, lines))
    remarks = tuple((r, lines.position(r.span.start) if r.span else None) for r in made.remarks)
    return CutScript(cuts, text.slice(0, len(sql)), remarks)


def _whole(sql: str, found: list[Piece], spoken: Dialect, default: TableName | None) -> tuple[Cut, ...]:
    if not found:
        return ()
    tokens = [token for piece in found for token in piece.tokens]
    each = [mentions(piece.tokens, spoken, default) for piece in found]
    named = mentions(tokens, spoken, default).named
    defined = tuple(name for m in each for name in m.defined)
    temporary = tuple(name for m in each for name in m.temporary)
    whole = Mentions(named, defined, temporary, unqualified=True)
    redacted = found[0].text.slice(0, len(sql))
    texts = (redacted, query_hash(redacted))
    return (Cut(Span(0, len(sql)), Position(1, 1), sql, None, default, *texts, whole, bool(temporary)),)


def _cuts(
    made: Source, found: list[Piece], spoken: Dialect, default: TableName | None, lines: LineIndex
) -> Iterator[Cut]:
    temporary: set[TableName] = set()
    for piece in found:
        names = mentions(piece.tokens, spoken, default)
        temporary.update(names.temporary)
        start, end = piece.span
        raw = made.raw[start:end]
        readable = made.readable[start:end]
        yield Cut(
            piece.span,
            lines.position(start),
            raw,
            None if readable == raw else readable,
            default,
            _fingerprint(piece, raw, readable),
            query_hash(piece.text.slice(start, end)),
            names,
            bool(temporary) and not temporary.isdisjoint(names.named),
        )
        default = _after(piece, spoken, default)


def _fingerprint(piece: Piece, raw: str, readable: str) -> str:
    """A piece's fingerprint; its redacted text where it has secrets, or is not the plain SQL that fingerprints are made for."""
    redacted = piece.text.slice(*piece.span)
    plain = redacted == raw == readable and piece.problem is None and piece.block is None
    return fingerprint(piece.tokens, piece.text.raw) if plain else redacted


def _after(piece: Piece, spoken: Dialect, default: TableName | None) -> TableName | None:
    """The default schema behind a statement."""
    if not piece.tokens or piece.tokens[0].text.upper() not in _SESSION_WORDS or len(piece.tokens) > _SHORT:
        return default
    resolution = resolve(parse(piece, spoken), Session(default_schema=default))
    return resolution.default_schema or default


_SHORT = 30
"""Tokens that a statement which names a schema cannot have."""
