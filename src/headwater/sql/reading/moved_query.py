"""The query, or the table, whose rows a statement moves to files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.grammar import parse_statement
from headwater.sql.placeholder import filled
from headwater.sql.reading.reading import Reading, is_string
from headwater.sql.tokens import tokenise


def query_of(reading: Reading, tokens: Sequence[Token]) -> Any:
    """The query that the tokens spell; nothing is none."""
    tree = reading.statement(tokens)
    if tree is None:
        raise ParseError("a query is missing")
    return tree


def table_or_query(reading: Reading) -> Any:
    """A table, or a query in brackets; moves behind it."""
    return query_of(reading, reading.brackets()) if reading.at_bracket() else reading.name()


def query_in_string(token: Token, reading: Reading) -> Any:
    """The query inside a string: its tokens stand where they stand in the script, as far as doubled quotes allow."""
    if not is_string(token):
        raise ParseError("a query is missing")
    tokens = tokenise(filled(token.text, reading.dialect), reading.dialect, token.text)
    start = reading.sql.find(token.text, token.start, token.end + 1)
    shift = start if start >= 0 else token.start + 1
    for each in tokens:
        each.start += shift
        each.end += shift
        each.line += token.line - 1
    return parse_statement(tokens, reading.sql, reading.dialect)


def listed_columns(reading: Reading) -> Any:
    """A table, or some of its columns, `t (a, b)`, as a query."""
    start = reading.at
    table = reading.name()
    if not reading.at_bracket():
        return table
    tokens = reading.tokens[start : reading.at]
    names = reading.brackets()
    at = tokens[0]
    select = Token(TokenType.SELECT, "SELECT", at.line, at.col, at.start, at.start)
    from_ = Token(TokenType.FROM, "FROM", at.line, at.col, at.start, at.start)
    return reading.parsed([select, *names, from_, *tokens])
