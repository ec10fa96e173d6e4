"""Tokens as keywords."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

_QUOTED = frozenset({TokenType.IDENTIFIER, TokenType.HEREDOC_STRING})


def is_string(token: Token) -> bool:
    """Whether a token is a string literal of any kind."""
    return "STRING" in token.token_type.name


def word(token: Token) -> str:
    """A token as a keyword: upper case; nothing for strings and quoted names."""
    return "" if token.token_type in _QUOTED or is_string(token) else token.text.upper()
