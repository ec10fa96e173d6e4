"""Text to statements: tokenise once, split at statement boundaries, parse each piece on its own.

In comes the text of a script, out comes one `Statement` per non-empty piece, in order. A piece that does not parse carries a
diagnostic instead of a tree; its neighbours are not affected. All offsets are offsets into the script.
"""

from __future__ import annotations

import contextvars
import hashlib
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.span import Span
from headwater.sql.dialect import Dialect
from headwater.sql.pipe import UnknownOperator, has_pipe, without_pipes
from headwater.sql.redact import Redacted

_parsing = contextvars.ContextVar("parsing", default=False)


class _Quiet(logging.Filter):
    """Drops what the parser logs while we parse: it quotes raw SQL, and we say the same as a diagnostic, redacted."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not _parsing.get()


logging.getLogger("sqlglot").addFilter(_Quiet())


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a script: its tree (None if it did not parse) and its place.

    Tokens are not kept: thousands of small objects that stay alive slow the garbage collector down more than making
    them again for the few who ask.
    """

    text: Redacted
    dialect: Dialect
    span: Span
    tree: exp.Expr | None = field(repr=False)
    diagnostics: tuple[Diagnostic, ...] = field(default=())

    @property
    def sql(self) -> str:
        """The statement's redacted text."""
        return self.text.slice(self.span.start, self.span.end)

    def tokens(self) -> list[Token]:
        """The statement's tokens, made anew; their offsets count from the statement's start."""
        return list(self.dialect.grammar.tokenize(self.text.raw[self.span.start : self.span.end]))

    @property
    def query_hash(self) -> str:
        """MD5 of the redacted text: the same text is the same process, wherever it stands."""
        return hashlib.md5(self.sql.encode(), usedforsecurity=False).hexdigest()


def statements(sql: str, dialects: Sequence[Dialect]) -> Iterator[Statement]:
    """The statements of a script, each parsed by the first of *dialects* that understands it."""
    pieces = [_readable(_pieces(sql, d), d) for d in dialects]
    if len({len(p) for p in pieces}) == 1:
        for alternatives in zip(*pieces, strict=True):
            yield _first_that_parses(alternatives, dialects)
    else:
        yield from _fewest_failures(pieces, dialects)


def _fewest_failures(pieces: Sequence[list[_Piece]], dialects: Sequence[Dialect]) -> list[Statement]:
    """Where dialects do not even agree on the statements' boundaries: the whole script by the one that understands most."""
    results = [[_parse(piece, d) for piece in cut] for cut, d in zip(pieces, dialects, strict=True)]
    return min(results, key=lambda parsed: sum(not _understood(s) for s in parsed))


@dataclass(frozen=True, slots=True)
class _Piece:
    text: Redacted
    tokens: list[Token]
    span: Span
    problem: Diagnostic | None = None

    def part(self, start: int, end: int) -> _Piece:
        """The piece between two of its tokens."""
        tokens = self.tokens[start:end]
        return _Piece(self.text, tokens, _span(tokens))


def _first_that_parses(alternatives: Sequence[_Piece], dialects: Sequence[Dialect]) -> Statement:
    results = []
    for piece, dialect in zip(alternatives, dialects, strict=False):
        results.append(_parse(piece, dialect))
        if _understood(results[-1]):
            return results[-1]
    return results[0]


def _understood(statement: Statement) -> bool:
    return statement.tree is not None and not isinstance(statement.tree, exp.Command)


def _pieces(sql: str, dialect: Dialect) -> list[_Piece]:
    """Statement pieces of a script; where the tokeniser gives up, line-ending semicolons are boundaries."""
    try:
        tokens = dialect.grammar.tokenize(sql)
    except TokenError:
        return _recovered_pieces(sql, dialect)
    text = Redacted(sql, tokens)
    return [_Piece(text, chunk, _span(chunk)) for chunk in _chunks(sql, tokens, dialect.batch_separator)]


_STARTERS = frozenset(
    {"INSERT", "UPDATE", "DELETE", "MERGE", "CREATE", "DROP", "TRUNCATE", "ALTER", "USE", "EXEC", "SELECT", "WITH"}
)
"""Words that begin a T-SQL statement where they stand first on a line."""


def _readable(pieces: list[_Piece], dialect: Dialect) -> list[_Piece]:
    """T-SQL needs no semicolons: a piece that does not parse whole is cut at lines that begin a statement, if that helps."""
    if not dialect.optional_semicolons:
        return pieces
    return [part for piece in pieces for part in _cut_at_lines(piece, dialect)]


def _cut_at_lines(piece: _Piece, dialect: Dialect) -> list[_Piece]:
    """A piece that does not parse whole, as the statements that its lines begin; one that fails stays a piece of its own."""
    starts = _line_starts(piece)
    if len(starts) < 2 or _understood(_parse(piece, dialect)):
        return [piece]
    ends = [*starts[1:], len(piece.tokens)]
    parts: list[_Piece] = []
    first = 0
    while first < len(starts):
        last = _statement_end(piece, starts, ends, first, dialect)
        parts.append(piece.part(starts[first], ends[last]))
        first = last + 1
    return parts if any(_understood(_parse(part, dialect)) for part in parts) else [piece]


_LONGEST = 40
"""Lines that begin like a statement but may belong to the one before: WHEN branches of a MERGE, branches of a UNION."""


def _statement_end(piece: _Piece, starts: list[int], ends: list[int], first: int, dialect: Dialect) -> int:
    """Number of the last line group of the statement that begins with group *first*.

    It is the first that completes the statement; a query on the next lines belongs to it if it fits (`INSERT INTO t` ⏎ `SELECT …`).
    """
    for last in range(first, min(first + _LONGEST, len(starts))):
        if _understood(_parse(piece.part(starts[first], ends[last]), dialect)):
            while last + 1 < len(starts) and _continues(piece, starts, ends, first, last + 1, dialect):
                last += 1
            return last
    return first


def _continues(piece: _Piece, starts: list[int], ends: list[int], first: int, last: int, dialect: Dialect) -> bool:
    query = piece.tokens[starts[last]].text.upper() in ("SELECT", "WITH")
    return query and _understood(_parse(piece.part(starts[first], ends[last]), dialect))


def _line_starts(piece: _Piece) -> list[int]:
    """Tokens outside of brackets that stand first on a line and may begin a statement."""
    starts, depth = [], 0
    for i, token in enumerate(piece.tokens):
        depth += (token.text == "(") - (token.text == ")")
        first_on_line = i == 0 or piece.tokens[i - 1].line < token.line
        if depth == 0 and first_on_line and token.text.upper() in _STARTERS:
            starts.append(i)
    return starts if starts and starts[0] == 0 else [0, *starts]


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


def _recovered_pieces(sql: str, dialect: Dialect) -> list[_Piece]:
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
    pieces: list[_Piece] = []
    for span, tokens in parts:
        if tokens:
            pieces.extend(_Piece(text, c, _span(c)) for c in _chunks(sql, tokens, dialect.batch_separator))
        else:
            problem = Diagnostic(
                Code.SYNTAX_ERROR,
                "a string, comment or quoted name is not closed",
                span,
                hint="close it, or check the dialect's quotes",
            )
            pieces.append(_Piece(text, [], span, problem))
    return pieces


def _shifted(part: str, offset: int, line: int, dialect: Dialect) -> list[Token]:
    """The tokens of a part of a script, at their places in the whole; none if it cannot be tokenised."""
    try:
        tokens = list(dialect.grammar.tokenize(part))
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


def _parse(piece: _Piece, dialect: Dialect) -> Statement:
    tree: exp.Expr | None = None
    problem = piece.problem
    if problem is None:
        try:
            tree = _tree(piece, dialect)
        except ParseError as error:
            problem = _syntax_error(error, piece)
        except UnknownOperator as error:
            word, span = error.token.text, Span(error.token.start, error.token.end + 1)
            problem = Diagnostic(Code.SYNTAX_ERROR, f"the pipe operator {word} is not understood", span, word)
        except RecursionError:
            problem = Diagnostic(Code.TOO_DEEP, "the statement is nested too deeply to be parsed", piece.span)
        except Exception as error:  # noqa: BLE001 - the parser fails in its own ways on what is not SQL
            problem = Diagnostic(Code.SYNTAX_ERROR, f"the parser cannot read it ({type(error).__name__})", piece.span)
    return Statement(piece.text, dialect, piece.span, tree, (problem,) if problem else ())


def _tree(piece: _Piece, dialect: Dialect) -> exp.Expr | None:
    flag = _parsing.set(True)
    try:
        parser = dialect.grammar.parser(error_level=ErrorLevel.IMMEDIATE)
        tokens = piece.tokens
        if has_pipe(piece.text.raw, piece.span.start, piece.span.end):
            tokens = without_pipes(tokens)
        trees = parser.parse(tokens, piece.text.raw)
    finally:
        _parsing.reset(flag)
    return trees[0] if trees else None


def _syntax_error(error: ParseError, piece: _Piece) -> Diagnostic:
    """A diagnostic from the parser's structured report; its message quotes raw SQL and is not passed on."""
    report = error.errors[0] if error.errors else {}
    description = _plain_words(str(report.get("description") or "not understood"))
    line, column = report.get("line"), report.get("col")
    for token in piece.tokens:
        if token.line == line and token.col == column:
            near = piece.text.slice(token.start, token.end + 1)
            return Diagnostic(
                Code.SYNTAX_ERROR, f"{description}, at {near!r}", Span(token.start, token.end + 1), subject=near
            )
    return Diagnostic(Code.SYNTAX_ERROR, description, piece.span)


def _plain_words(description: str) -> str:
    """The parser's complaint without its own objects, which mean nothing to a reader and may quote the script."""
    description = description.split("\n")[0].rstrip(".")
    incomplete = re.match(r"Required keyword: '\w+' missing for <class '(?:\w+\.)*(\w+)'>", description)
    if incomplete:
        return f"{incomplete.group(1).upper()} is incomplete"
    return re.sub(r",? but got <.*|<.*", "", description).strip()
