"""Whether a statement names a table without a schema, so that the one in use may matter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.mentions.names import BEFORE_TABLES, NOT_NAMES, is_name

_PLAIN_BEGINNINGS = frozenset({"SELECT", "WITH", "INSERT", "MERGE", "UPDATE", "DELETE", "CREATE", "FROM"})
_TABLES_BEGIN = BEFORE_TABLES | {"REFERENCES", "REPLACE"}
_TABLES_END = frozenset(
    {
        *(
            "SELECT",
            "WHERE",
            "ON",
            "GROUP BY",
            "ORDER BY",
            "HAVING",
            "QUALIFY",
            "SET",
            "VALUES",
            "LIMIT",
            "UNION",
            "EXCEPT",
        )
    }
    | {*("INTERSECT", "WINDOW", "WHEN", "THEN", "AS", "PARTITION", "CLUSTER BY", "DISTRIBUTE BY", "SORT BY", "LATERAL")}
)


def has_unqualified_table(tokens: Sequence[Token]) -> bool:
    """Whether a name without a dot stands where a table is due; if in doubt, yes."""
    if not tokens or tokens[0].text.upper() not in _PLAIN_BEGINNINGS:
        return True
    ctes = {t.text.lower() for t, then in pairwise(tokens) if then.token_type is TokenType.ALIAS}
    due = False
    outside: list[bool] = []
    begins = _TABLES_BEGIN - {"USING"} if tokens[0].text.upper() == "CREATE" else _TABLES_BEGIN
    for i, token in enumerate(tokens):
        word = token.text.upper()
        if token.token_type is TokenType.L_PAREN:
            outside.append(due)
            due = due and (i == 0 or _begins_table(tokens[i - 1], begins))
        elif token.token_type is TokenType.R_PAREN:
            due = outside.pop() if outside else False
        elif word in begins:
            due = True
        elif word in _TABLES_END:
            due = False
        elif due and _is_single_name(tokens, i, begins) and token.text.lower() not in ctes:
            return True
    return False


def _is_single_name(tokens: Sequence[Token], i: int, begins: frozenset[str]) -> bool:
    """Whether a token is a table's whole name: neither part of a longer one, nor an alias, nor a function."""
    if not is_name(tokens[i]) or tokens[i].text.upper() in NOT_NAMES:
        return False
    behind = tokens[i + 1].token_type if i + 1 < len(tokens) else None
    return _begins_table(tokens[i - 1], begins) and behind is not TokenType.DOT


def _begins_table(before: Token, begins: frozenset[str]) -> bool:
    """Whether a table may follow a token; behind a name follows an alias, or a list of its columns."""
    word = before.text.upper()
    return word in begins or word in NOT_NAMES or before.token_type in (TokenType.COMMA, TokenType.L_PAREN)
