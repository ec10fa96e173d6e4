"""Control statements around ordinary ones: `IF c THEN … ELSE … END IF;`, `WHILE c DO … END WHILE;`, LOOP, REPEAT.

Outside of a block the statements inside them are statements of the script like any other; only the heads are pieces of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect
from headwater.sql.words import word

_DIALECTS = frozenset({"bigquery", "snowflake", "spark", "databricks"})
_HEADS = {
    "IF": ("THEN",),
    "ELSEIF": ("THEN",),
    "ELSIF": ("THEN",),
    "WHILE": ("DO", "LOOP"),
    "FOR": ("DO", "LOOP"),
    "UNTIL": ("END",),
}
_BARE = frozenset({"ELSE", "LOOP", "REPEAT"})
_CLOSED = frozenset({"IF", "LOOP", "WHILE", "FOR", "REPEAT"})


class Control(NamedTuple):
    """The head of a control statement: its word, its first token, and the token behind it; nothing in it if only a closing word was met."""

    word: str
    start: int
    end: int


def control_at(tokens: Sequence[Token], start: int, stop: int, dialect: Dialect) -> Control | None:
    """The control statement's head that begins with a token, if one does, before *stop*."""
    found = word(tokens[start])
    if dialect.name == "tsql":
        return _bracket(tokens, found, start, stop)
    if dialect.name not in _DIALECTS:
        return None
    if found in _BARE:
        return Control(found, start + 1, start + 1)
    if found == "END" and start + 1 < stop and word(tokens[start + 1]) in _CLOSED:
        return Control(found, stop, stop)
    for closing in _HEADS.get(found, ()):
        end = _find(tokens, start, stop, closing)
        if end is not None:
            return Control(found, start, end + 1)
    return None


def _bracket(tokens: Sequence[Token], found: str, start: int, stop: int) -> Control | None:
    """T-SQL: BEGIN and END only hold statements together, and an IF ends where the statement under it begins."""
    if found in ("IF", "WHILE"):
        return Control(found, start, stop)
    if found in ("END", "ELSE"):
        behind = start + 1 + _is_try(tokens, start + 1, stop)
        return Control(found, behind, behind)
    if stop == start + 2 and tokens[start + 1].token_type is TokenType.COLON:
        return Control(found, stop, stop)
    if found == "BEGIN" and (start + 1 == stop or _is_try(tokens, start + 1, stop)):
        return Control(found, stop, stop)
    return None


def _is_try(tokens: Sequence[Token], i: int, stop: int) -> bool:
    return i < stop and word(tokens[i]) in ("TRY", "CATCH")


def _find(tokens: Sequence[Token], start: int, stop: int, closing: str) -> int | None:
    """Where a word stands outside of brackets and CASE."""
    depth = 0
    for i in range(start + 1, stop):
        kind = tokens[i].token_type
        if depth == 0 and word(tokens[i]) == closing:
            return i
        depth += kind in (TokenType.L_PAREN, TokenType.CASE)
        depth -= kind in (TokenType.R_PAREN, TokenType.END)
    return None
