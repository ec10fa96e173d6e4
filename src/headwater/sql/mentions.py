"""Which tables a statement may name, and which it may define, from its tokens alone.

In come a statement's tokens, out come qualified, folded names: more than it really reads, since `a.b` may be a column of `a` or the table
`b` of schema `a`, but none less. That is enough to put statements in an order in which tables are defined before they are used; what
a statement really reads and defines is the resolver's to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.entity import TableName
from headwater.sql.dialect import Dialect

_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_BEFORE_TABLES = frozenset(
    {
        "FROM",
        "JOIN",
        "INTO",
        "TABLE",
        "VIEW",
        "UPDATE",
        "USING",
        "EXISTS",
        "ONLY",
        "OVERWRITE",
        "MERGE",
        "LIKE",
        "CLONE",
    }
)
_DEFINING = frozenset({"CREATE", "ALTER", "RENAME", "REPLACE", "CACHE", "DECLARE", "EXEC", "EXECUTE", "SP_RENAME"})
_DEFINED = frozenset({"TABLE", "VIEW", "FUNCTION", "MACRO", "STREAM", "DICTIONARY", "SYNONYM", "SNAPSHOT", "STAGE"})
_TEMPORARY = frozenset({"TEMP", "TEMPORARY", "VOLATILE", "CACHE", "DECLARE"})
_NOT_NAMES = frozenset({"IF", "NOT", "EXISTS", "ONLY"})
_MARKS = ("#", "##", "@")
"""Before the names of temporary tables and table variables; tokens of their own."""
_DEPTH = 4
"""Parts that a table's name can have."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """The tables that a statement may read or write, those that it may define, and of these the temporary ones."""

    named: tuple[TableName, ...]
    defined: tuple[TableName, ...]
    temporary: tuple[TableName, ...]
    unqualified: bool
    """Whether the default schema may matter: some table is named without one."""


def mentions(tokens: Sequence[Token], dialect: Dialect, default: TableName | None) -> Mentions:
    """What a statement may name and define; *default* is the schema of names that have none."""
    named: dict[TableName, None] = {}
    for chain in _chains(tokens, dialect):
        for length in range(1, min(len(chain), _DEPTH) + 1):
            named[_qualified(chain[:length], default)] = None
        named[chain[:1]] = None  # temporary ones have no schema everywhere
    words = {token.text.upper() for token in tokens[:6]}
    made: list[TableName] = list(_definitions(tokens, dialect))
    bare: list[TableName] = [name for name in made if len(name) == 1] if words & _TEMPORARY else []
    defined = tuple(dict.fromkeys([_qualified(name, default) for name in made] + bare))
    marked = tuple(name for name in named if name[-1].startswith(("#", "@")))
    temporary = (*marked, *(defined if words & _TEMPORARY else ()))
    return Mentions(tuple(named), defined, temporary, _has_unqualified_table(tokens))


def _chains(tokens: Sequence[Token], dialect: Dialect) -> Iterator[TableName]:
    """Every run of names with dots between, folded; single words only where they are no keywords, or where a table is due."""
    i, count = 0, len(tokens)
    while i < count:
        token = tokens[i]
        follows = i + 1 < count and tokens[i + 1].token_type is TokenType.DOT
        marked = dialect.temporary_marks and token.text in _MARKS
        if token.token_type in _NAMES or follows or marked or _table_is_due(tokens, i):
            chain, i = _chain(tokens, i, dialect)
            if chain:
                yield chain
        else:
            i += 1


def _table_is_due(tokens: Sequence[Token], i: int) -> bool:
    return i > 0 and tokens[i].text.isidentifier() and tokens[i - 1].text.upper() in _BEFORE_TABLES


def _chain(tokens: Sequence[Token], i: int, dialect: Dialect) -> tuple[TableName, int]:
    parts: list[str] = []
    while i < len(tokens):
        mark = ""
        while tokens[i].text in _MARKS and i + 1 < len(tokens):
            mark += tokens[i].text  # `##t` has two
            i += 1
        if tokens[i].token_type is TokenType.DOT:
            i += 1  # `db..t` leaves a part out
            continue
        parts += _folded(tokens[i], mark, dialect)
        i += 1
        if i >= len(tokens) or tokens[i].token_type is not TokenType.DOT:
            break
        i += 1
    return tuple(parts), i


def _folded(token: Token, mark: str, dialect: Dialect) -> list[str]:
    fold = dialect.fold_table or dialect.fold_column
    if token.token_type is TokenType.IDENTIFIER:
        parts = token.text.split(".") if dialect.name == "bigquery" else [token.text]
        return [fold(part, True) for part in parts]
    return [fold(mark + token.text, False)]


def _qualified(parts: TableName, default: TableName | None) -> TableName:
    if default and len(parts) <= len(default) and not parts[-1].startswith(("#", "@")):
        return default[: len(default) + 1 - len(parts)] + parts
    return parts


def _definitions(tokens: Sequence[Token], dialect: Dialect) -> Iterator[TableName]:
    """The names behind CREATE TABLE, ALTER TABLE and the like, behind RENAME TO, and behind INTO of a SELECT."""
    if not tokens:
        return
    first = tokens[0].text.upper().partition(" ")[0]
    if first in _DEFINING:
        for i, token in enumerate(tokens):
            word = token.text.upper()
            if (word.rpartition(" ")[2] in _DEFINED or (word == "TO" and first in ("ALTER", "RENAME"))) and i < _REACH:
                yield from _name_behind(tokens, i + 1, dialect)
    elif first in ("SELECT", "WITH", "SEL"):
        for i, token in enumerate(tokens):
            if token.token_type is TokenType.INTO:
                yield from _name_behind(tokens, i + 1, dialect)


_REACH = 40
"""Tokens within which a statement says what it defines."""


def _name_behind(tokens: Sequence[Token], i: int, dialect: Dialect) -> Iterator[TableName]:
    while i < len(tokens) and tokens[i].text.upper() in _NOT_NAMES:
        i += 1
    if i < len(tokens) and (
        tokens[i].text.isidentifier() or tokens[i].token_type in _NAMES or tokens[i].text in _MARKS
    ):
        chain, _ = _chain(tokens, i, dialect)
        if chain:
            yield chain


_PLAIN_BEGINNINGS = frozenset({"SELECT", "WITH", "INSERT", "MERGE", "UPDATE", "DELETE", "CREATE", "FROM"})
_TABLES_BEGIN = _BEFORE_TABLES | {"REFERENCES", "REPLACE"}
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


def _has_unqualified_table(tokens: Sequence[Token]) -> bool:
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
    if not (tokens[i].text.isidentifier() or tokens[i].token_type in _NAMES) or tokens[i].text.upper() in _NOT_NAMES:
        return False
    behind = tokens[i + 1].token_type if i + 1 < len(tokens) else None
    return _begins_table(tokens[i - 1], begins) and behind is not TokenType.DOT


def _begins_table(before: Token, begins: frozenset[str]) -> bool:
    """Whether a table may follow a token; behind a name follows an alias, or a list of its columns."""
    word = before.text.upper()
    return word in begins or word in _NOT_NAMES or before.token_type in (TokenType.COMMA, TokenType.L_PAREN)
