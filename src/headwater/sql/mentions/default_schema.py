"""Whether a statement names a table without a schema, so that the one in use may matter."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.mentions.names import BEFORE_TABLES, NOT_NAMES, is_name
from headwater.sql.mentions.words import Words

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
_COMMA, _OPEN, _CLOSE = TokenType.COMMA, TokenType.L_PAREN, TokenType.R_PAREN
_TURNS = _TABLES_BEGIN | _TABLES_END | NOT_NAMES | {",", "(", ")"}
"""Words and signs at which it may change whether a table is due, or behind which one may begin."""


def has_unqualified_table(words: Words) -> bool:
    """Whether a name without a dot stands where a table is due; if in doubt, yes."""
    first = words.upper[0] if words.upper else ""
    if first not in _PLAIN_BEGINNINGS:
        return True
    begins = _TABLES_BEGIN - {"USING"} if first == "CREATE" else _TABLES_BEGIN
    due = False
    outside: list[bool] = []
    ctes: set[str] = set()
    for i in [i for i, word in enumerate(words.upper) if word in _TURNS]:
        kind, word = words.kinds[i], words.upper[i]
        if kind is _OPEN:
            outside.append(due)
            due = due and _begins_table(words, i - 1, begins)
        elif kind is _CLOSE:
            due = outside.pop() if outside else False
        elif word in begins:
            due = True
        elif word in _TABLES_END:
            due = False
        if due and _begins_table(words, i, begins) and _is_single_name(words, i + 1, begins):
            ctes = ctes or _ctes(words)
            if words.upper[i + 1] not in ctes:
                return True
    return False


def _is_single_name(words: Words, i: int, begins: frozenset[str]) -> bool:
    """Whether a token is a table's whole name: neither part of a longer one, nor a word of the query."""
    if i >= len(words.tokens) or words.kinds[i + 1] is TokenType.DOT or not is_name(words.tokens[i]):
        return False
    word = words.upper[i]
    return not (word in begins or word in _TABLES_END or word in NOT_NAMES)


def _begins_table(words: Words, i: int, begins: frozenset[str]) -> bool:
    """Whether a table may follow a token; behind a name follows an alias, or a list of its columns."""
    word, kind = words.upper[i], words.kinds[i]
    return word in begins or word in NOT_NAMES or kind is _COMMA or kind is _OPEN


def _ctes(words: Words) -> set[str]:
    """Names before AS, in upper case."""
    return {words.upper[i - 1] for i in words.of_kind((TokenType.ALIAS,)) if i}
