"""A script's text to pieces, one per statement: cut at semicolons and batch separators, and recovered where a literal is not closed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.span import Span
from headwater.sql.dialect import Dialect
from headwater.sql.redact import Redacted
from headwater.sql.tokens import tokenise


@dataclass(frozen=True, slots=True)
class Piece:
    """The stretch of a script that should be one statement; a problem if it cannot even be tokenised."""

    text: Redacted
    tokens: list[Token]
    span: Span
    problem: Diagnostic | None = None

    def part(self, start: int, end: int) -> Piece:
        """The piece between two of its tokens."""
        tokens = self.tokens[start:end]
        return Piece(self.text, tokens, _span(tokens))


def pieces(sql: str, dialect: Dialect) -> list[Piece]:
    """Statement pieces of a script; where the tokeniser gives up, line-ending semicolons are boundaries."""
    try:
        tokens = tokenise(sql, dialect)
    except TokenError:
        return _recovered_pieces(sql, dialect)
    text = Redacted(sql, tokens)
    return [Piece(text, chunk, _span(chunk)) for chunk in _chunks(sql, tokens, dialect.batch_separator)]


def _chunks(sql: str, tokens: list[Token], batch_separator: str | None) -> Iterator[list[Token]]:
    if ";" not in sql and not batch_separator:
        if tokens:
            yield tokens
        return
    ends = [i for i, token in enumerate(tokens) if token.token_type is TokenType.SEMICOLON]
    if batch_separator:
        words = (i for i, token in enumerate(tokens) if token.text.upper() == batch_separator)
        ends = sorted([*ends, *(i for i in words if _alone_on_line(sql, tokens[i]))])
    start = 0
    for end in [*ends, len(tokens)]:
        if end > start:
            yield tokens[start:end]
        start = end + 1


def _alone_on_line(sql: str, token: Token) -> bool:
    start = sql.rfind("\n", 0, token.start) + 1
    end = sql.find("\n", token.end)
    return sql[start : end if end >= 0 else len(sql)].strip() == token.text


def _recovered_pieces(sql: str, dialect: Dialect) -> list[Piece]:
    """The tokeniser met an unclosed literal: take the script apart at semicolons that end a line, and try each part."""
    parts: list[tuple[Span, list[Token]]] = []
    start = line = 0
    for part in _line_ended_parts(sql):
        if part.strip(" \t\r\n;"):
            leading = len(part) - len(part.lstrip())
            trailing = len(part) - len(part.rstrip(" \t\r\n;"))
            span = Span(start + leading, start + len(part) - trailing)
            parts.append((span, _shifted(part, start, line, dialect)))
        start += len(part)
        line += part.count("\n")
    text = Redacted(sql, [token for _, tokens in parts for token in tokens], [s for s, tokens in parts if not tokens])
    found: list[Piece] = []
    for span, tokens in parts:
        if tokens:
            found.extend(Piece(text, c, _span(c)) for c in _chunks(sql, tokens, dialect.batch_separator))
        else:
            problem = Diagnostic(
                Code.SYNTAX_ERROR,
                "a string, comment or quoted name is not closed",
                span,
                hint="close it, or check the dialect's quotes",
            )
            found.append(Piece(text, [], span, problem))
    return found


def _shifted(part: str, offset: int, line: int, dialect: Dialect) -> list[Token]:
    """The tokens of a part of a script, at their places in the whole; none if it cannot be tokenised."""
    try:
        tokens = tokenise(part, dialect)
    except TokenError:
        return []
    for token in tokens:
        token.start += offset
        token.end += offset
        token.line += line
    return tokens


def _line_ended_parts(sql: str) -> Iterator[str]:
    part = ""
    for line in sql.splitlines(keepends=True):
        part += line
        if line.rstrip().endswith(";"):
            yield part
            part = ""
    if part:
        yield part


def _span(tokens: Sequence[Token]) -> Span:
    return Span(tokens[0].start, tokens[-1].end + 1)
