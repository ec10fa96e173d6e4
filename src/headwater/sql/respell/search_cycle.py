"""SEARCH and CYCLE behind a CTE that others follow; the grammar reads them behind the last one of a WITH.

`r (a) AS (…) SEARCH … SET o, q AS (…)` becomes `r AS (WITH RECURSIVE r (a) AS (…) SEARCH … SET o SELECT * FROM r), q AS (…)`.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Tokens, following, made, opening, respells, word

_DIALECTS = ("postgres", "oracle", "db2", "ansi")
_BEHIND = frozenset({",", "CYCLE", ")", "SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "VALUES", "("})
"""What may follow such a clause, or stand in the place of one."""


@respells("SEARCH", *_DIALECTS, sign=" SEARCH ")
@respells("CYCLE", *_DIALECTS, sign=" CYCLE ")
def behind_earlier_cte(tokens: Tokens, i: int) -> Tokens:
    """The statement with a WITH of its own around such a CTE and its clauses."""
    end = _end(tokens, i)
    if word(tokens, i - 1) != ")" or word(tokens, end) != ",":
        return tokens
    as_ = opening(tokens, i - 1) - 1
    as_ -= word(tokens, as_) == "MATERIALIZED"
    as_ -= word(tokens, as_) == "NOT"
    name = opening(tokens, as_ - 1) - 1 if word(tokens, as_ - 1) == ")" else as_ - 1
    if word(tokens, as_) != "AS" or name < 1:
        return tokens
    at = tokens[as_]
    with_ = (
        made("(", TokenType.L_PAREN, at),
        made("WITH", TokenType.WITH, at),
        made("RECURSIVE", TokenType.RECURSIVE, at),
    )
    query = (("SELECT", TokenType.SELECT), ("*", TokenType.STAR), ("FROM", TokenType.FROM))
    rows = [*(made(*each, at) for each in query), tokens[name], made(")", TokenType.R_PAREN, at)]
    return [*tokens[: name + 1], at, *with_, *tokens[name:end], *rows, *tokens[end:]]


def _end(tokens: Tokens, i: int) -> int:
    """The end of the clauses that begin at a token; the end of the statement where these are none."""
    while True:
        set_ = following(tokens, i, lambda n: word(tokens, n) == "SET")
        i = following(tokens, set_, lambda n: word(tokens, n) in _BEHIND)
        if word(tokens, i) != "CYCLE":
            return i
