"""Literals without an operator between: `'a' r'b'` is one string, of which the grammar reads only plain parts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from sqlglot.tokenizer_core import TokenType

from headwater.sql.reading.reading import Reading, reads

_STRINGS = frozenset(
    {
        *(TokenType.STRING, TokenType.RAW_STRING, TokenType.BYTE_STRING, TokenType.HEX_STRING, TokenType.BIT_STRING),
        *(TokenType.NATIONAL_STRING, TokenType.UNICODE_STRING, TokenType.HEREDOC_STRING),
    }
)


@reads("SELECT", "WITH", "INSERT", "CREATE", "MERGE", "UPDATE", "DELETE", "(")
def adjacent_strings(reading: Reading) -> Any:
    """The statement with the first of such literals alone: none of them has a source."""
    tokens = reading.tokens
    kept = [
        token
        for before, token in pairwise([tokens[0], *tokens])
        if before.token_type not in _STRINGS or token.token_type not in _STRINGS
    ]
    return reading.statement(kept) if len(kept) < len(tokens) else None
