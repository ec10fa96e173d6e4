"""Teradata's table operators: `f(ON (SELECT …) PARTITION BY a USING x('1'))`, spelled as a function of tables, `f(TABLE(SELECT …))`."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Tokens, closing, following, made, respells, word

_JSON_TABLE = "TD_JSONSHRED"
"""What stands for Teradata's JSON_TABLE, which the grammar would read like the standard's: the function that does the same."""
_ENDS = frozenset({"ON", "USING", "OUT", "RETURNS"})


@respells("ON", "teradata")
def table_operator(tokens: Tokens, i: int) -> Tokens:
    """The operator whose first input stands here; inputs behind it begin with ON as well."""
    if i < 2 or word(tokens, i - 1) != "(" or word(tokens, i - 2) in ("TD_UNPIVOT", ""):
        return tokens
    end = closing(tokens, i - 1)
    given: Tokens = []
    at = i
    while word(tokens, at) == "ON" and at + 1 < min(end, len(tokens)):
        start, at = at + 1, following(tokens[:end], at + 1, lambda n: word(tokens, n) in _ENDS)
        given += [made(",", TokenType.COMMA, tokens[start])] if given else []
        given += _table(tokens, start, at)
    name = made(_JSON_TABLE, TokenType.VAR, tokens[i - 2]) if word(tokens, i - 2) == "JSON_TABLE" else tokens[i - 2]
    return [*tokens[: i - 2], name, tokens[i - 1], *given, *tokens[end:]]


def _table(tokens: Tokens, start: int, end: int) -> Tokens:
    """`TABLE(…)` of the table or query that begins here; how its rows are divided and ordered makes no column."""
    at = tokens[start]
    if word(tokens, start) == "(":
        inside = tokens[start + 1 : closing(tokens, start)]
    else:
        last = start
        while last + 2 < end and word(tokens, last + 1) == ".":
            last += 2
        inside = tokens[start : last + 1]
    opening, closed = made("(", TokenType.L_PAREN, at), made(")", TokenType.R_PAREN, at)
    return [made("TABLE", TokenType.TABLE, at), opening, *inside, closed]
