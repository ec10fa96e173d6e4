"""Statements that name tables and queries, and move no data."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.words import word

_BEGINNINGS = frozenset(
    {
        "EXPLAIN",
        "DESCRIBE",
        "DESC",
        "GRANT",
        "REVOKE",
        "DENY",
        "SHOW",
        "HELP",
        "ANALYZE",
        "LOCK",
        "UNLOCK",
        "DROP",
        "REFRESH",
    }
    | {"OPTIMIZE", "RUNSTATS", "VACUUM", "COMMENT", "USE", "DECLARE", "PREPARE"}
)
_MADE = frozenset({"FUNCTION", "MACRO", "POLICY", "INDEX"})
"""What CREATE makes without running it: a function moves data when it is called."""
_CLIENT = frozenset({"STDIN", "STDOUT"})
"""The client's own files, which have no name."""
_QUERY = frozenset({"SELECT", "WITH", "(", "FROM", "VALUES"})
_REACH = 12
"""Tokens within which a CREATE says what it makes."""


def moves_nothing(tokens: Sequence[Token]) -> bool:
    """Whether a statement moves no data, whatever it names."""
    words = [word(token) for token in tokens[:_REACH]]
    first = words[0] if words else ""
    if first in _BEGINNINGS or (first == "LOAD" and words[1:2] != ["DATA"]):
        return True
    if first == "COPY" and not _CLIENT.isdisjoint(map(word, tokens)):
        return True
    if first == "INSERT" and [word(token) for token in tokens[-2:]] == ["DEFAULT", "VALUES"]:
        return True
    return first in ("CREATE", "ALTER") and not _MADE.isdisjoint(words)


def holds_query(tokens: Sequence[Token]) -> bool:
    """Whether what a statement does is done by a query: what CREATE makes is, where one stands behind AS."""
    if word(tokens[0]) not in ("CREATE", "ALTER"):
        return True
    depth, before = 0, ""
    for token in tokens:
        if depth == 0 and before == "AS" and word(token) in _QUERY:
            return True
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        before = word(token)
    return False
