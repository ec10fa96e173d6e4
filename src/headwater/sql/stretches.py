"""A text that is a part of a statement, as code and strings: what comments say is left out, and the semicolons at its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import TokenType

from headwater.sql.dialect import Dialect
from headwater.sql.tokens import plain_tokens

_STRINGS = frozenset({TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.RAW_STRING, TokenType.BYTE_STRING})


class Stretch(NamedTuple):
    """A stretch of a text."""

    text: str
    quote: str = ""
    """What ends it if it is a string; empty for code."""


def stretches(text: str, dialect: Dialect) -> Iterator[Stretch]:
    """The strings of a text and what stands between them. A text that cannot be read is code as it stands.

    >>> from headwater.sql.dialect import dialect
    >>> [stretch.text for stretch in stretches("concat(a, '--') -- both;", dialect("duckdb"))]
    ['concat', '(', 'a', ',', ' ', "'--'", ')']
    """
    try:
        tokens = plain_tokens(text, dialect)
    except TokenError:
        yield Stretch(text)
        return
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens.pop()
    end = tokens[0].start if tokens else 0
    for token in tokens:
        if token.start > end:
            between = text[end : token.start]
            yield Stretch(between if between.isspace() else " ")
        written = text[token.start : token.end + 1]
        yield Stretch(written, written[-1] if token.token_type in _STRINGS else "")
        end = token.end + 1


def bare(text: str, dialect: Dialect) -> str:
    """A text without its comments and the semicolons at its end.

    >>> from headwater.sql.dialect import dialect
    >>> bare("SELECT a /* the key */ FROM t; -- all of it", dialect("duckdb"))
    'SELECT a FROM t'
    """
    return "".join(stretch.text for stretch in stretches(text, dialect))
