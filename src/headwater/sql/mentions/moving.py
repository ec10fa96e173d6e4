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
        "ASSERT",
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
    | {
        "OPTIMIZE",
        "RUNSTATS",
        "VACUUM",
        "COMMENT",
        "USE",
        "DECLARE",
        "PREPARE",
        "RESTORE",
        "BACKUP",
        "DETACH",
        "FETCH",
        "MOVE",
    }
    | {"PAUSE", "RESUME", "STOP", "CANCEL", "ADMIN", "RECOVER", "WARM", "BUILD"}
)
_MADE = frozenset(
    {
        "FUNCTION",
        "MACRO",
        "POLICY",
        "INDEX",
        "LOGIN",
        "USER",
        "ROLE",
        "DATABASE",
        "STOPLIST",
        "SERVER",
        "LIBRARY",
        "SOURCE",
    }
)
"""What CREATE makes without running it: a function moves data when it is called."""
_KINDS = _MADE | {
    *(
        "TABLE",
        "VIEW",
        "PROCEDURE",
        "TRIGGER",
        "TASK",
        "MODEL",
        "DICTIONARY",
        "STREAM",
        "PIPE",
        "STAGE",
        "RULE",
        "EVENT",
    ),
    *("ALERT", "FLOW", "PROJECTION", "SCHEMA", "DATABASE", "TYPE", "PACKAGE", "SYNONYM", "SEQUENCE", "ROLE", "USER"),
}
"""Kinds of objects behind CREATE. Words before the kind are modifiers, words behind it are names."""
_BEHIND_KIND = frozenset({"INTO", "AS", "SELECT", "FROM"})
"""Words that stand behind the kind, if there is one: `REPLACE INTO t SELECT index FROM u` has none."""
_NO_NAME = frozenset({"(", ".", "AS"})
_CLIENT = frozenset({"STDIN", "STDOUT"})
"""The client's own files, which have no name."""
_NO_QUERIES = frozenset({"CALL", "EXEC", "EXECUTE", "DELETE", "DEL"})
"""What is called may be named like a statement, `CALL load(1)`; DELETE needs no condition."""
_QUERY = frozenset({"SELECT", "WITH", "(", "FROM", "VALUES"})


def moves_nothing(tokens: Sequence[Token]) -> bool:
    """Whether a statement moves no data, whatever it names."""
    first = word(tokens[0]) if tokens else ""
    second = word(tokens[1]) if len(tokens) > 1 else ""
    if (
        first in _BEGINNINGS
        or (first == "LOAD" and second not in ("DATA", "LABEL"))
        or (first == "IMPORT" and second == "FOREIGN")
    ):
        return True
    if first == "CREATE" and second == "EXTERNAL" and len(tokens) > 2 and word(tokens[2]) == "SCHEMA":
        return True
    if first in ("MERGE", "CREATE") and second in ("BRANCH", "TAG") and "IN" in map(word, tokens):
        return True  # Dremio's states of all tables
    if first == "SET" and second in ("QUERY_BAND", "TEZ", "HIVE", "MAPRED"):
        return True
    if first == "TRUNCATE" and second in ("ALL", "TABLES", "DATABASE"):
        return True
    if first == "COPY" and not _CLIENT.isdisjoint(map(word, tokens)):
        return True
    if first in ("INSERT", "REPLACE") and _is_default_row([word(token) for token in tokens]):
        return True
    return first in ("CREATE", "ALTER", "REPLACE") and _kind(tokens) in _MADE


def _is_default_row(words: list[str]) -> bool:
    """Whether a row without values is written: `INSERT INTO t DEFAULT VALUES`, `INSERT INTO t () VALUES ()`."""
    while words[-1] in ("(", ")", ","):
        words.pop()
        if words[-2:] == ["VALUES", "("] or words[-2:] == ["VALUE", "("]:
            return True
    return words[-2:] == ["DEFAULT", "VALUES"]


def _kind(tokens: Sequence[Token]) -> str:
    """The kind of object that a CREATE makes; `CREATE TABLE FUNCTION f …` makes a function, `CREATE TABLE function (…)` a table."""
    words = [each for token in tokens for each in word(token).split()]  # "CLUSTERED INDEX" is one token
    at = next((i for i, each in enumerate(words) if each in _KINDS or each in _BEHIND_KIND), len(words))
    if words[at : at + 2] == ["TABLE", "FUNCTION"] and not _NO_NAME.issuperset(words[at + 2 : at + 3]):
        at += 1
    return words[at] if at < len(words) else ""


def holds_query(tokens: Sequence[Token]) -> bool:
    """Whether what a statement does is done by a query: what CREATE makes is, where one stands behind AS."""
    first = word(tokens[0])
    if first not in ("CREATE", "ALTER"):
        return first not in _NO_QUERIES
    depth, before = 0, ""
    for token in tokens:
        if depth == 0 and before == "AS" and word(token) in _QUERY:
            return True
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        before = word(token)
    return False
