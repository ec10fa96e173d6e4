"""Columns called `all`, where that word is not reserved: behind SELECT or a bracket the grammar reads it as the opposite of DISTINCT."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.words import word

_BEFORE = frozenset({"SELECT", "DISTINCT", "ALL", ",", "("})
_BEHIND = frozenset(
    {"", ";", ",", ")", "FROM", "AS", "=", "<", ">", "<=", ">=", "<>", "!=", "||", "IS", "IN", "BETWEEN"}
)
"""What may follow a value and begins none: `ALL - 1` and `ALL *` may be the other word."""


def may_be_column_all(letters: str) -> bool:
    """Whether a statement may have such a column, by the letters of its tokens: an ALL that does not follow UNION, GROUP BY or the like."""
    return "l" in letters and letters.count("l") > letters.count("ql")


def with_column_all(tokens: list[Token]) -> list[Token]:
    """The tokens, with each `all` that can only be a column as a name."""
    words = ["", *map(word, tokens), ""]
    return [
        _named(token)
        if token.token_type is TokenType.ALL and words[i] in _BEFORE and words[i + 2] in _BEHIND
        else token
        for i, token in enumerate(tokens)
    ]


def _named(token: Token) -> Token:
    return Token(TokenType.IDENTIFIER, token.text, token.line, token.col, token.start, token.end, list(token.comments))
