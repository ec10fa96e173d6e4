"""Text to tokens."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token

from headwater.sql.dialect import Dialect

_INVISIBLE = dict.fromkeys(map(ord, "\0\ufeff\u200b"), " ")
"""Characters that nobody sees and no name has: zeros, byte order marks, zero-width spaces. They are read as spaces."""


def tokenise(text: str, dialect: Dialect) -> list[Token]:
    """The tokens of a text, by the dialect's rules; raises `TokenError` where a literal is not closed."""
    if "\0" in text or "\ufeff" in text or "\u200b" in text:
        text = text.translate(_INVISIBLE)
    return list(dialect.grammar.tokenize(text))
