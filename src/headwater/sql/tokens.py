"""Text to tokens."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token

from headwater.sql.dialect import Dialect


def tokenise(text: str, dialect: Dialect) -> list[Token]:
    """The tokens of a text, by the dialect's rules; raises `TokenError` where a literal is not closed."""
    return list(dialect.grammar.tokenize(text))
