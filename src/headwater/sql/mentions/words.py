"""A statement's tokens, with their kinds and words as lists: many look through them, and a list costs a fraction of asking each token."""

from __future__ import annotations

from collections.abc import Container, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.words import STRINGS


class Words:
    """Tokens, the kind of each, and the text of each in upper case; behind the last kind comes one that means nothing."""

    __slots__ = ("kinds", "strings", "tokens", "upper")

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.kinds = [token.token_type for token in tokens]
        self.upper = [token.text.upper() for token in tokens]
        self.strings = self.of_kind(STRINGS)
        self.kinds.append(TokenType.SEMICOLON)

    def of_kind(self, kinds: Container[TokenType]) -> list[int]:
        """Where tokens of some kinds stand."""
        return [i for i, kind in enumerate(self.kinds) if kind in kinds]
