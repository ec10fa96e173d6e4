"""`CREATE RECURSIVE VIEW v (a) AS query` in the grammar's words: `CREATE VIEW v (a) AS WITH RECURSIVE v (a) AS (query) SELECT * FROM v`.

The view's name inside of its own query is the recursion, not a table.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.dialect import dialect_names
from headwater.sql.respell.rule import Tokens, closing, following, made, respells, word


@respells("RECURSIVE", *dialect_names(), first="CREATE REPLACE")
def recursive_view(tokens: Tokens, i: int) -> Tokens:
    """The statement with a recursive CTE that is called like the view."""
    as_ = following(tokens, i, lambda n: word(tokens, n) == "AS")
    if word(tokens, i + 1) != "VIEW" or as_ + 1 >= len(tokens):
        return tokens
    columns = following(tokens, i, lambda n: word(tokens, n) == "(")
    name = tokens[i + 2 : min(columns, as_)]
    query = tokens[as_ + 1 :]
    if word(query, 0) == "(" and closing(query, 0) == len(query) - 1:
        query = query[1:-1]
    query = _by_last_name(query, name) if len(name) > 1 else query
    at = tokens[as_]
    head = [("WITH", TokenType.WITH), ("RECURSIVE", TokenType.RECURSIVE)]
    tail = [("SELECT", TokenType.SELECT), ("*", TokenType.STAR), ("FROM", TokenType.FROM)]
    made_up = [[made(*each, at) for each in words] for words in (head, tail)]
    listed = tokens[columns:as_] if columns < as_ else []
    cte = [name[-1], *listed, at, made("(", TokenType.L_PAREN, at), *query, made(")", TokenType.R_PAREN, at)]
    return [*tokens[:i], *tokens[i + 1 : as_ + 1], *made_up[0], *cte, *made_up[1], name[-1]]


def _by_last_name(query: Tokens, name: Tokens) -> Tokens:
    """The query with the last part of a name wherever it has the whole."""
    whole = [part.text.upper() for part in name]
    found: Tokens = []
    i = 0
    while i < len(query):
        same = [part.text.upper() for part in query[i : i + len(whole)]] == whole
        i += len(whole) - 1 if same else 0
        found.append(query[i])
        i += 1
    return found
