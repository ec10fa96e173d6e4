"""Tables that no name in a statement spells: those that fit a pattern, and those that a vendor calls after another one."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot.tokenizer_core import TokenType

from headwater.sql.dialect import Dialect
from headwater.sql.mentions.strings import tokens_of
from headwater.sql.mentions.words import Words
from headwater.sql.spelled_name import in_quotes

_BEFORE_TARGET = ("INTO", "UPDATE", "FROM")
_KEPT = 25
"""Characters of a table's name in that of its table of errors."""


def implied_tables(words: Words, dialect: Dialect) -> Iterator[Words]:
    """The names of such tables, each as if behind TABLE."""
    if dialect.dictionaries and "MERGE" in words.upper:
        yield from _merged(words, dialect)
    if dialect.family == "oracle" and "ERRORS" in words.upper:
        yield from _of_errors(words, dialect)
    if dialect.family == "mysql" and "LOAD" in words.upper[:3]:
        yield from _loaded(words, dialect)


def _loaded(words: Words, dialect: Dialect) -> Iterator[Words]:
    """StarRocks' and Doris' `LOAD LABEL d.l (… INTO TABLE t …)`, `CREATE ROUTINE LOAD d.j ON t`: t is in d."""
    start = 2 if words.upper[:2] == ["LOAD", "LABEL"] else 3 if words.upper[1:3] == ["ROUTINE", "LOAD"] else 0
    if not start or words.upper[start + 1 : start + 2] != ["."]:
        return
    before = "TABLE" if start == 2 else "ON"
    for i, each in enumerate(words.upper[:-1]):
        if each == before:
            parts = [words.tokens[start].text, words.tokens[i + 1].text]
            yield Words(tokens_of("TABLE " + ".".join(map(in_quotes, parts)), dialect))


def _merged(words: Words, dialect: Dialect) -> Iterator[Words]:
    """ClickHouse's `merge('db', '^t')`: the pattern stands for all tables that fit it."""
    for i, each in enumerate(words.upper):
        if each != "MERGE" or words.upper[i + 1 : i + 2] != ["("]:
            continue
        strings = [token.text for token in words.tokens[i + 2 : i + 8] if token.text not in ("(", ")", ",")]
        parts = [part for part in strings if part.upper() != "REGEXP"][:2]
        for name in (parts, parts[:1]):
            yield Words(tokens_of("TABLE " + ".".join(map(in_quotes, name)), dialect))


def _of_errors(words: Words, dialect: Dialect) -> Iterator[Words]:
    """Oracle's `LOG ERRORS` without a table: `ERR$_` and the name of the target."""
    at = next((i + 1 for i, each in enumerate(words.upper) if each in _BEFORE_TARGET), len(words.tokens))
    last = at
    while last + 2 < len(words.tokens) and words.tokens[last + 1].token_type is TokenType.DOT:
        last += 2
    if last < len(words.tokens):
        outer = "".join(token.text for token in words.tokens[at:last])
        yield Words(tokens_of(f"TABLE {outer}ERR$_{words.tokens[last].text[:_KEPT]}", dialect))
