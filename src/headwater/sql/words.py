"""Tokens as keywords."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

STRINGS = frozenset(kind for kind in TokenType if "STRING" in kind.name)
_QUOTED = STRINGS | {TokenType.IDENTIFIER}


def is_string(token: Token) -> bool:
    """Whether a token is a string literal of any kind."""
    return token.token_type in STRINGS


def word(token: Token) -> str:
    """A token as a keyword: upper case; nothing for strings and quoted names."""
    return "" if token.token_type in _QUOTED else token.text.upper()
