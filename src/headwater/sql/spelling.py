"""Tokens as the grammar reads them: vendors' phrases in its own words, pipes as CTEs."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token

from headwater.sql.dialect import Dialect
from headwater.sql.pipe import has_pipe, without_pipes
from headwater.sql.respell import ended, may_be_endless, may_have_operators, respelled, with_known_operators


def spelled(tokens: list[Token], sql: str, dialect: Dialect) -> list[Token]:
    """The tokens of one statement of the text *sql*, spelled so that the grammar takes them; raises `UnknownOperator`."""
    found = respelled(tokens, dialect.name)
    text = sql[tokens[0].start : tokens[-1].end + 1] if tokens else ""
    if may_be_endless(text):
        found = ended(found)
    if dialect.own_operators and may_have_operators(text):
        found = with_known_operators(found)
    return without_pipes(found) if has_pipe(text) else found
