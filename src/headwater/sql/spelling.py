"""Tokens as the grammar reads them: vendors' phrases in its own words, pipes as CTEs."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token

from headwater.sql.dialect import Dialect
from headwater.sql.pipe import has_pipe, without_pipes
from headwater.sql.respell import (
    ended,
    may_be_endless,
    may_have_operators,
    respelled,
    upper_text,
    with_known_operators,
)


def spelled(tokens: list[Token], sql: str, dialect: Dialect, upper: str | None = None) -> list[Token]:
    """The tokens of one statement of the text *sql*, spelled so that the grammar takes them; raises `UnknownOperator`.

    *upper* is the statement's text in upper case, if its tokens are all and in order there.
    """
    if upper is None:
        upper = upper_text(tokens)
    found = respelled(tokens, dialect, upper)
    text = sql[tokens[0].start : tokens[-1].end + 1] if tokens else ""
    if may_be_endless(upper):
        found = ended(found)
    if dialect.own_operators and may_have_operators(text):
        found = with_known_operators(found)
    return without_pipes(found, dialect) if has_pipe(text, dialect) else found
