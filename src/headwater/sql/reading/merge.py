"""MERGE branches that the grammar does not know, rewritten into ones that it does.

DuckDB's `UPDATE`, `UPDATE BY NAME`, `INSERT`, `INSERT BY NAME`; Oracle's `UPDATE SET … WHERE c DELETE WHERE d`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.grammar import parse_statement
from headwater.sql.reading.reading import Reading, reads, word

_ENDS = frozenset({"WHEN", "RETURNING", "OUTPUT", ""})


@reads("MERGE", first=True)
def merge(reading: Reading) -> Any:
    """A MERGE with such a branch; None for any other."""
    tokens: list[Token] = []
    rewritten = evolves = False
    where: Sequence[Token] = ()
    while reading:
        if reading.take("WITH", "SCHEMA", "EVOLUTION"):
            rewritten = evolves = True
            continue
        if tokens and word(tokens[-1]) == "THEN":
            made = _short_branch(reading)
            if made:
                tokens += made
                rewritten = True
                continue
        elif reading.word() == "DELETE" and reading.word(1) == "WHERE":
            tokens += _delete_branch(reading, where)
            rewritten = True
            continue
        elif reading.word() == "WHERE":
            where = _condition(reading)
        tokens.append(reading.token())
    if not rewritten:
        return None
    tree = parse_statement(tokens, reading.sql, reading.dialect)
    if evolves:
        tree.set("schema_evolution", True)
    return tree


def _condition(reading: Reading) -> Sequence[Token]:
    """The condition of the WHERE that begins here; stays there."""
    start = reading.at
    reading.take("WHERE")
    found = reading.until("WHEN", "DELETE", "LOG", "RETURNING")
    reading.at = start
    return found


def _short_branch(reading: Reading) -> list[Token]:
    """`UPDATE [BY NAME]` is `UPDATE SET *`, `INSERT BY NAME` is `INSERT *`, `INSERT [BY POSITION]` is `INSERT ROW`."""
    first = reading.here
    action = reading.word()
    if action not in ("UPDATE", "INSERT"):
        return []
    start = reading.at
    reading.token()
    by = "NAME" if reading.take("BY", "NAME") else "POSITION" if reading.take("BY", "POSITION") else ""
    if reading.word() not in _ENDS or (not by and reading.dialect.family != "duckdb"):
        reading.at = start
        return []
    if action == "UPDATE":
        return [first, *_made(first, (TokenType.SET, "SET"), (TokenType.STAR, "*"))]
    whole = (TokenType.STAR, "*") if by == "NAME" else (TokenType.VAR, "ROW")
    return [first, *_made(first, whole)]


def _delete_branch(reading: Reading, where: Sequence[Token]) -> list[Token]:
    """`UPDATE … WHERE w DELETE WHERE d`: of the updated rows, a branch of its own, `WHEN MATCHED AND (w) AND d THEN DELETE`."""
    delete = reading.token()
    reading.take("WHERE")
    condition = reading.until("WHEN", "LOG", "RETURNING")
    head = _made(delete, (TokenType.WHEN, "WHEN"), (TokenType.VAR, "MATCHED"), (TokenType.AND, "AND"))
    if where:
        opening, closing, and_ = _made(
            delete, (TokenType.L_PAREN, "("), (TokenType.R_PAREN, ")"), (TokenType.AND, "AND")
        )
        head = [*head, opening, *where, closing, and_]
    return [*head, *condition, *_made(delete, (TokenType.THEN, "THEN")), delete]


def _made(at: Token, *kinds: tuple[TokenType, str]) -> Sequence[Token]:
    """Tokens that the text does not have: they take no room in it."""
    return [Token(kind, text, at.line, at.col, at.start, at.start - 1) for kind, text in kinds]
