"""A script's text to pieces, one per statement.

It is cut at semicolons, batch separators and what the client takes for an end, but not inside procedural blocks; and taken apart at
line ends where a literal is not closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.span import Span
from headwater.model.work import check_time
from headwater.sql.blocks import Block, block_at, may_hold_block
from headwater.sql.dialect import Dialect
from headwater.sql.optional_semicolons import statement_end
from headwater.sql.redact import Redacted
from headwater.sql.routine_lines import bounded_tokens, is_boundary
from headwater.sql.script_program import may_fill_variable, program_at
from headwater.sql.source import Source
from headwater.sql.target import filling, target_of
from headwater.sql.token_letters import letters
from headwater.sql.tokens import shifted
from headwater.sql.unclosed import readable_parts

_KIND = attrgetter("token_type")


@dataclass(frozen=True)
class Piece:
    """The stretch of a script that should be one statement; a problem if it cannot even be tokenised."""

    text: Redacted
    source: Source
    tokens: list[Token]
    span: Span
    problem: Diagnostic | None = None
    block: Block | None = None
    """Set where the piece is a procedural block; its name's token counts from the piece's first."""
    target: str = ""
    """The table that the piece, a bare query, fills (`sql.target`)."""

    @cached_property
    def kinds(self) -> list[TokenType]:
        """The kinds of the tokens. A look at these, or at the text, tells of most pieces that nothing more is to be done."""
        return list(map(_KIND, self.tokens))

    @cached_property
    def letters(self) -> str:
        """The kinds of the tokens as a text."""
        return letters(self.kinds)

    @cached_property
    def upper(self) -> str:
        """The piece's text in upper case."""
        return self.text.raw[self.span.start : self.span.end].upper()

    def part(self, start: int, end: int) -> Piece:
        """The piece between two of its tokens."""
        tokens = self.tokens[start:end]
        return Piece(self.text, self.source, tokens, span_of(tokens))


def pieces(source: Source, dialect: Dialect, start: int = 0) -> list[Piece]:
    """Statement pieces of a script, from the *start* of one on.

    Where the tokeniser gives up, line-ending semicolons are boundaries; then they are the pieces of all the script.
    """
    try:
        tokens = bounded_tokens(source, dialect, start)
    except TokenError:
        return _recovered_pieces(source, dialect)
    if start:
        tokens = shifted(tokens, start, source.raw.count("\n", 0, start))
    found = list(_pieces(Redacted(source.raw, tokens), source, tokens, dialect))
    target = target_of(source.raw)
    return _with_target(found, target) if target else found


def _with_target(found: list[Piece], target: str) -> list[Piece]:
    """The pieces of a script whose last bare query fills a table."""
    number = filling([() if piece.block else piece.tokens for piece in found], target)
    if number is not None:
        found[number] = replace(found[number], target=target)
    return found


def stretch_pieces(text: str, dialect: Dialect) -> list[Piece] | None:
    """The pieces of a stretch that ends with a semicolon, if they are the same in every script; None if they may not be.

    They are the same if the semicolon is a token, so that no literal and no comment reaches over it, and if no block begins, which might
    go on behind it. The dialect must be one in which only semicolons end statements.
    """
    source = Source(text, text)
    try:
        tokens = bounded_tokens(source, dialect)
    except TokenError:
        return None
    if not tokens or tokens[-1].token_type is not TokenType.SEMICOLON or tokens[-1].end != len(text) - 1:
        return None
    found = list(_cut(Redacted(text, tokens), source, tokens, 0, len(tokens), dialect))
    return None if any(piece.block or _may_go_on(piece.tokens, dialect) for piece in found) else found


def _may_go_on(tokens: list[Token], dialect: Dialect) -> bool:
    """Whether a statement may be the beginning of a block, or of a program, that goes on behind its semicolon."""
    return may_hold_block(tokens, dialect) or may_fill_variable(tokens, dialect)


def _pieces(text: Redacted, source: Source, tokens: list[Token], dialect: Dialect) -> Iterator[Piece]:
    for start, end in _batches(source, tokens, dialect.batch_separator):
        if source.is_uncut(tokens[start].start):
            for first, last in _routines(tokens, start, end):
                yield from _whole(text, source, tokens[first:last], dialect)
        else:
            yield from _cut(text, source, tokens, start, end, dialect)


def _batches(source: Source, tokens: list[Token], separator: str | None) -> Iterator[tuple[int, int]]:
    """Stretches of tokens that nothing reaches over, not even a block: between `GO`, and what else a client takes for an end."""
    if not separator and not source.cuts:
        if tokens:
            yield 0, len(tokens)
        return
    start = cut = 0
    cuts = sorted(source.cuts)
    for i, token in enumerate(tokens):
        if cut < len(cuts) and token.start >= cuts[cut]:
            if i > start:
                yield start, i
            start = max(start, i)
            while cut < len(cuts) and token.start >= cuts[cut]:
                cut += 1
        if separator and token.text.upper() == separator:
            count = _separates(source.readable, tokens, i)
            if count:
                if i > start:
                    yield start, i
                start = i + count
    if len(tokens) > start:
        yield start, len(tokens)


def _routines(tokens: list[Token], start: int, stop: int) -> Iterator[tuple[int, int]]:
    """A stretch cut at the lines that begin a routine."""
    for i in range(start, stop):
        if is_boundary(tokens[i]):
            if i > start:
                yield start, i
            start = i + 1
    if stop > start:
        yield start, stop


def _separates(sql: str, tokens: list[Token], i: int) -> int:
    """How many tokens a batch separator has, `GO` or `GO 5` alone on a line; 0 if the word is no separator."""
    token = tokens[i]
    start = sql.rfind("\n", 0, token.start) + 1
    end = sql.find("\n", token.end)
    line = sql[start : end if end >= 0 else len(sql)].partition("--")[0].split()
    if line == [token.text]:
        return 1
    return 2 if len(line) == 2 and line[0] == token.text and line[1].isdigit() else 0


def _whole(text: Redacted, source: Source, tokens: list[Token], dialect: Dialect) -> Iterator[Piece]:
    """One piece, whatever semicolons there are inside."""
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens = tokens[:-1]
    if tokens:
        end = len(tokens)
        block = block_at(tokens, 0, end, dialect) or program_at(tokens, 0, end, end, dialect)
        yield Piece(text, source, tokens, span_of(tokens), block=block)


def _cut(
    text: Redacted, source: Source, tokens: list[Token], start: int, stop: int, dialect: Dialect
) -> Iterator[Piece]:
    """The pieces between semicolons, or what ends a statement without one; a block is one piece, and so is a program."""
    ends = _Ends(source, tokens, start, stop, dialect)
    while start < stop:
        check_time()
        end = ends.behind(start)
        block = None
        if end > start:
            if dialect.defines_objects and tokens[start].token_type is TokenType.VAR:
                tokens[start] = _created(tokens, start)
            block = block_at(tokens, start, stop, dialect) or program_at(tokens, start, end, stop, dialect)
        if block is not None:
            end = max(block.end, start + 1)
            block = block._replace(name=None if block.name is None else block.name - start)
        if end > start:
            piece = tokens[start:end]
            yield Piece(text, source, piece, span_of(piece), block=block)
        start = end if end < stop and tokens[end].token_type is not TokenType.SEMICOLON else end + 1


_DEFINED = frozenset({"TABLE", "DYNAMIC", "VIEW", "MATERIALIZED", "SECURE", "TRANSIENT", "TASK", "SCHEMA", "DATABASE"})
_DEFINED |= {"FUNCTION", "PROCEDURE", "STAGE", "STREAM", "WAREHOUSE", "ROLE", "TAG", "SEQUENCE", "FILE", "EXTERNAL"}


def _created(tokens: list[Token], i: int) -> Token:
    """A statement's first word; `DEFINE TABLE t (…)`, as Snowflake's projects of scripts have it, is a CREATE."""
    token, following = tokens[i], tokens[i + 1 : i + 2]
    if token.text.upper() != "DEFINE" or not following or following[0].text.upper() not in _DEFINED:
        return token
    return Token(TokenType.CREATE, "CREATE", token.line, token.col, token.start, token.end, token.comments)


class _Ends:
    """Where statements end; asked in order."""

    def __init__(self, source: Source, tokens: list[Token], start: int, stop: int, dialect: Dialect) -> None:
        self._tokens = tokens
        self._stop = stop
        self._by_words = dialect.optional_semicolons
        self._next = 0
        self._semicolons: list[int] = []
        if not self._by_words and ";" in source.readable:
            self._semicolons = [i for i in range(start, stop) if tokens[i].token_type is TokenType.SEMICOLON]

    def behind(self, start: int) -> int:
        """The token behind the statement that begins at a token."""
        if self._by_words:
            at_end = self._tokens[start].token_type is TokenType.SEMICOLON
            return start if at_end else statement_end(self._tokens, start, self._stop)
        while self._next < len(self._semicolons):
            if self._semicolons[self._next] >= start:
                return self._semicolons[self._next]
            self._next += 1
        return self._stop


def _recovered_pieces(source: Source, dialect: Dialect) -> list[Piece]:
    """The tokeniser met an unclosed literal: take the script apart where it may go on all the same, and try each part."""
    parts = readable_parts(source, dialect)
    text = Redacted(
        source.raw, [token for _, tokens in parts for token in tokens], [s for s, tokens in parts if not tokens]
    )
    found: list[Piece] = []
    for span, tokens in parts:
        if tokens:
            found.extend(_pieces(text, source, tokens, dialect))
        else:
            problem = Diagnostic(
                Code.SYNTAX_ERROR,
                "a string, comment or quoted name is not closed",
                span,
                hint="close it, or check the dialect's quotes",
            )
            found.append(Piece(text, source, [], span, problem))
    return found


def span_of(tokens: Sequence[Token]) -> Span:
    """Where some tokens stand."""
    return Span(tokens[0].start, tokens[-1].end + 1)
