"""Databricks' `INSERT INTO t AS x REPLACE ON x.k = s.k (SELECT …) AS s`: rows for which the condition holds make way for new ones."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.reading.reading import Reading, identifier, reads

_QUERIES = frozenset({"SELECT", "WITH", "VALUES", "TABLE", "FROM"})
_BEFORE_OPERAND = frozenset({"ON", "AND", "OR", "NOT", "IN", "EXISTS", "ANY", "ALL", "SOME", "LIKE", "BETWEEN", "("})
_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})


@reads("INSERT", "WITH")
def replace_on(reading: Reading) -> Any:
    """The INSERT, with the condition and the names that it goes by."""
    found = reading.find("REPLACE", "ON")
    if found < 0:
        return None
    head = list(reading.tokens[:found])
    by_name = head[-2:] if [token.text.upper() for token in head[-2:]] == ["BY", "NAME"] else []
    head = head[: len(head) - len(by_name)]
    target = _alias(head)
    reading.at = found
    reading.take("REPLACE", "ON")
    condition = _condition(reading)
    query = list(reading.rest())
    source = _alias(query) if query and query[0].token_type is TokenType.L_PAREN else None
    tree = reading.statement([*head, *by_name, *query])
    if not isinstance(tree, exp.Insert):
        return None
    tree.set("replace_on", reading.expression(condition))
    tree.set("target_alias", target)
    tree.set("source_alias", source)
    return tree


def _alias(tokens: list[Token]) -> Any:
    """The alias that ends a table's name or a query; takes it off."""
    named = len(tokens) > 1 and tokens[-1].token_type in _NAMES
    before = tokens[-2] if named else None
    if before is None or before.token_type not in (*_NAMES, TokenType.ALIAS, TokenType.R_PAREN):
        return None
    alias = identifier(tokens.pop())
    if tokens[-1].token_type is TokenType.ALIAS:
        tokens.pop()
    return alias


def _condition(reading: Reading) -> list[Token]:
    """The tokens up to the query; moves there."""
    found: list[Token] = []
    while reading and not (found and _begins_query(reading, found[-1])):
        start = reading.at
        if reading.at_bracket():
            reading.brackets()
        else:
            reading.token()
        found += reading.tokens[start : reading.at]
    return found


def _begins_query(reading: Reading, before: Token) -> bool:
    if reading.word() in _QUERIES:
        return True
    operand = before.token_type in (*_NAMES, TokenType.R_PAREN, TokenType.NUMBER, TokenType.STRING, TokenType.NULL)
    ended = (operand or before.text.upper() in ("TRUE", "FALSE")) and before.text.upper() not in _BEFORE_OPERAND
    return ended and reading.at_bracket() and reading.word(1) in (*_QUERIES, "(")
