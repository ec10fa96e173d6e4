"""Whether a statement names a table without a schema, so that the one in use may matter."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.mentions.names import BEFORE_TABLES, NOT_NAMES, is_name
from headwater.sql.mentions.words import Words

_PLAIN_BEGINNINGS = frozenset({"SELECT", "WITH", "INSERT", "MERGE", "UPDATE", "DELETE", "CREATE", "FROM"})
_TABLES_BEGIN = BEFORE_TABLES | {"REFERENCES", "REPLACE"}
_TABLES_END = frozenset(
    {"SELECT", "WHERE", "GROUP BY", "ORDER BY", "HAVING", "QUALIFY", "SET", "VALUES", "LIMIT", "UNION", "EXCEPT"}
    | {"INTERSECT", "WINDOW", "WHEN", "THEN", "CLUSTER BY", "DISTRIBUTE BY", "SORT BY"}
)
_TABLES_WAIT = frozenset({"AS", "ON", "LATERAL", "PARTITION"})
"""Words that belong to a table of FROM; the next one comes behind a comma."""
_NO, _YES, _NEXT = range(3)
"""Whether a table is due: no; yes; behind the next comma."""
_COMMA, _OPEN, _CLOSE = TokenType.COMMA, TokenType.L_PAREN, TokenType.R_PAREN
_NO_TABLES = _TABLES_END | _TABLES_WAIT | NOT_NAMES | {"UNNEST"}
_TURNS = _TABLES_BEGIN | _NO_TABLES | {",", "(", ")"}
"""Words and signs at which it may change whether a table is due, or behind which one may begin."""


def has_unqualified_table(words: Words) -> bool:
    """Whether a name without a dot stands where a table is due; if in doubt, yes."""
    first = words.upper[0] if words.upper else ""
    if first not in _PLAIN_BEGINNINGS or (first == "CREATE" and "TYPE" in words.upper[1:4]):
        return True
    begins = _TABLES_BEGIN - {"USING"} if first == "CREATE" else _TABLES_BEGIN
    recursive = "RECURSIVE" in words.upper
    due, ctes = _NO, frozenset[str]()
    outside: list[tuple[int, frozenset[str]]] = []
    for i in [i for i, word in enumerate(words.upper) if word in _TURNS]:
        kind, word = words.kinds[i], words.upper[i]
        if kind is _OPEN:
            cte = _cte_at(words, i)
            behind = ctes | {cte} if cte else ctes
            outside.append((due, behind))
            ctes = behind if recursive else ctes
            due = due if _begins_table(words, i - 1, begins) else _NO
        elif kind is _CLOSE:
            due, ctes = outside.pop() if outside else (_NO, ctes)
        elif word in begins or (kind is _COMMA and due == _NEXT):
            due = _YES
        elif word in _TABLES_WAIT:
            due = _NEXT if due else _NO
        elif word in _TABLES_END:
            due = _NO
        if due == _YES and _begins_table(words, i, begins) and _is_single_name(words, i + 1, begins, ctes):
            return True
    return False


def _is_single_name(words: Words, i: int, begins: frozenset[str], ctes: frozenset[str]) -> bool:
    """Whether a token is a table's whole name: neither part of a longer one, nor a word of the query, nor a CTE."""
    if i >= len(words.tokens) or words.kinds[i + 1] is TokenType.DOT or not is_name(words.tokens[i]):
        return False
    word = words.upper[i]
    return word not in begins and word not in _NO_TABLES and word not in ctes


def _begins_table(words: Words, i: int, begins: frozenset[str]) -> bool:
    """Whether a table may follow a token; behind a name follows an alias, or a list of its columns."""
    word, kind = words.upper[i], words.kinds[i]
    return word in begins or word in NOT_NAMES or kind is _COMMA or kind is _OPEN


def _cte_at(words: Words, i: int) -> str:
    """The name of the CTE whose query a bracket holds, `c AS (`. Only behind the bracket, and not around it, it is no table's name."""
    i -= 1
    while i > 0 and words.upper[i] in ("MATERIALIZED", "NOT"):
        i -= 1
    return words.upper[i - 1] if i > 0 and words.kinds[i] is TokenType.ALIAS else ""
