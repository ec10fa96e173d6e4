"""Snowflake's flow operator: `SHOW TABLES ->> SELECT "name" FROM $1`, `SELECT … ->> INSERT INTO t SELECT * FROM $1`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.form import StatementChain
from headwater.sql.reading.reading import Reading, reads, word

_BEGINNINGS = (
    *("SELECT", "WITH", "(", "INSERT", "UPDATE", "DELETE", "MERGE", "CALL", "SHOW", "DESCRIBE", "DESC", "LIST", "LS"),
    *("CREATE", "ALTER", "DROP", "TRUNCATE", "COPY", "EXECUTE"),
)


@reads(*_BEGINNINGS, first=True)
def statement_chain(reading: Reading) -> Any:
    """Statements one after the other; None for a statement alone."""
    if reading.dialect.family != "snowflake" or not any(t.token_type is TokenType.DARROW for t in reading.tokens):
        return None
    parts = list(_parts(reading))
    if len(parts) == 1:  # the operator stands in brackets
        return None
    steps: list[Any] = []
    for part in parts:
        steps.append(reading.statement(list(_readable(part, steps))))
    return StatementChain(tuple(steps))


def _parts(reading: Reading) -> Iterator[Sequence[Token]]:
    while reading:
        yield reading.until("->>")
        reading.take("->>")


def _readable(tokens: Sequence[Token], before: list[Any]) -> Iterator[Token]:
    """The tokens with `$1` in FROM as a name; as a call of an unknown function where the statement meant gives no rows of columns."""
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if (
            token.token_type is TokenType.PARAMETER
            and i
            and word(tokens[i - 1]) in ("FROM", "JOIN")
            and i + 1 < len(tokens)
        ):
            back = int(tokens[i + 1].text) if tokens[i + 1].text.isdigit() else 0
            known = 0 < back <= len(before) and isinstance(before[-back], exp.Query)
            yield from _made(token, f"${back}") if known else _made(token, "TABLE", "(", "RESULT_SCAN", "(", ")", ")")
            i += 1
        else:
            yield token
        i += 1


_KINDS = {"(": TokenType.L_PAREN, ")": TokenType.R_PAREN, "TABLE": TokenType.TABLE, "RESULT_SCAN": TokenType.VAR}


def _made(at: Token, *words: str) -> Iterator[Token]:
    return (Token(_KINDS.get(w, TokenType.IDENTIFIER), w, at.line, at.col, at.start, at.end) for w in words)
