"""One script to cuts: the stretches that are analysed by themselves, with what each of them needs to know.

A cut is a statement, as a rule; a script whose statements cannot be told apart from their text alone (a template with branches, a script
with MySQL's DELIMITER) is one cut. A cut knows the default schema at its place, the tables it may name and define, and whether
it hangs on something temporary, so that the same text elsewhere may mean something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from headwater.model.diagnostic import Diagnostic
from headwater.model.entity import TableName
from headwater.model.span import LineIndex, Position, Span
from headwater.order.statement_facts import Alone, Said, mentions_of, read_alone, said_by
from headwater.sql.dialect import Dialect, dialect
from headwater.sql.mentions import Mentions, mentions
from headwater.sql.parse import in_all_rounds
from headwater.sql.redact import Redacted
from headwater.sql.source import source
from headwater.sql.split import Piece, pieces
from headwater.sql.statement import query_hash
from headwater.sql.target import with_target


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
    identity: str = ""
    """What tells it from other versions of it, where that is not its text."""


def cut(sql: str, dialects: Sequence[str], default_schema: str) -> CutScript:
    """The cuts of a script, by the first of its dialects."""
    spoken = dialect(dialects[0])
    default = tuple(spoken.spelled_table(part) for part in default_schema.split(".")) if default_schema else None
    made = source(sql, spoken)
    lines = LineIndex(sql)
    remarks = tuple((r, lines.position(r.span.start) if r.span else None) for r in made.remarks)
    first = read_alone(made, spoken, default)
    found = pieces(made, spoken, first.end) if first.end < len(sql) else []
    text = found[0].text if found else Redacted(sql, [])
    if made.tags or made.uncut:
        cuts = _whole(sql, found, spoken, default)
    else:
        cuts = tuple(_cuts(sql, _all_said(first, found, spoken, default), lines))
    return CutScript(cuts, text.slice(0, len(sql)), remarks)


def _whole(sql: str, found: list[Piece], spoken: Dialect, default: TableName | None) -> tuple[Cut, ...]:
    if not found:
        return ()
    shown = [each for piece in found for each in in_all_rounds(piece, spoken)]
    tokens = [token for piece in shown for token in piece.tokens]
    each = [mentions_of(piece, spoken, default) for piece in shown]
    named = mentions(tokens, spoken, default).named
    defined = tuple(name for m in each for name in m.defined)
    temporary = tuple(name for m in each for name in m.temporary)
    whole = Mentions(named, defined, temporary, unqualified=True)
    redacted = found[0].text.slice(0, len(sql))
    texts = (redacted, query_hash(redacted))
    return (Cut(Span(0, len(sql)), Position(1, 1), sql, None, default, *texts, whole, bool(temporary)),)


def _all_said(
    first: Alone, found: list[Piece], spoken: Dialect, default: TableName | None
) -> Iterator[tuple[int, Said]]:
    """What all statements say, with the offsets that their spans count from; the first of them were read by themselves.

    Where a literal is not closed behind them, the pieces are those of all the script again.
    """
    if not found or found[0].span.start >= first.end:
        yield from first.said
        default = first.said[-1][1].after if first.said else default
    for piece in found:
        said = said_by(piece, spoken, default)
        yield 0, said
        default = said.after


def _cuts(sql: str, statements: Iterable[tuple[int, Said]], lines: LineIndex) -> Iterator[Cut]:
    temporary: set[TableName] = set()
    for offset, said in statements:
        names = said.mentions
        temporary.update(names.temporary)
        start, end = said.span.start + offset, said.span.end + offset
        yield Cut(
            Span(start, end),
            lines.position(start),
            with_target(sql[start:end], said.target),
            None if said.readable is None else with_target(said.readable, said.target),
            said.default_schema,
            said.fingerprint,
            said.query_hash,
            names,
            bool(temporary) and not temporary.isdisjoint(names.named),
        )
