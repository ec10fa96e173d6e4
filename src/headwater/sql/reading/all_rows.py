"""A relation's name as the query of all its rows."""

from __future__ import annotations

from typing import Any

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.reading.reading import Reading

_KINDS = ((TokenType.SELECT, "SELECT"), (TokenType.STAR, "*"), (TokenType.FROM, "FROM"))


def all_rows(reading: Reading) -> Any:
    """`SELECT * FROM` the relation that is named here; moves behind it."""
    start = reading.at
    reading.name()
    at = reading.tokens[start]
    made = [Token(kind, text, at.line, at.col, at.start, at.start) for kind, text in _KINDS]
    return reading.parsed([*made, *reading.tokens[start : reading.at]])
