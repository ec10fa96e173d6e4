"""Where a statement's tokens say that a table is due: the name behind FROM, JOIN, INTO, UPDATE, USING and TABLE.

Tokens alone are looked at, no grammar, with the words around each name. It is asked only where the quick answer of `sql.tables_due` was not
confirmed.

`mentions` reads every run of names, so that no table is missed, and cannot tell tables from columns. Here no name may be in doubt: each
that the lineage does not have is reported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.span import Span
from headwater.sql.dialect import Dialect
from headwater.sql.mentions.names import chain_at, hyphenated_at
from headwater.sql.tables_due import DUE, GROUPS, LISTS, MARKS, Closings, behind_join, behind_path, next_item
from headwater.sql.token_letters import letters
from headwater.sql.words import is_string, word

_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER, TokenType.TEMPORARY})
_BETWEEN = frozenset(
    {"TABLE", "ONLY", "LATERAL", "IF", "NOT", "EXISTS", "INTO", "OVERWRITE", "OR", "LOW_PRIORITY", "IGNORE", "ONCE"}
    | {"VERTICA"}
)
"""Words that may stand before the name of a table that is due; behind OR follows another one."""
_BEHIND_INTO = _BETWEEN | {"TEMP", "TEMPORARY", "UNLOGGED", "LOCAL", "GLOBAL", "VOLATILE"}
_NO_TABLES = frozenset({"STDIN", "STDOUT", "WITHOUT", "WITH", "AT", "OF", "SELF", "INSERTED", "DELETED"})
"""Words in the place of a table's name, and the rows that a trigger is about: these are the table that it belongs to."""
_OTHER_DATABASES = frozenset({"CSV", "FBV", "PARQUET", "LOCAL", "JDBC", "EXA", "ORA", "SCRIPT"})
"""What stands behind FROM in Exasol's IMPORT, and behind INTO in its EXPORT."""
_ODD = re.compile(r"/|\.$|\$\{")
"""In the last part of a path, of a name that is not read to its end, or that a variable is a part of."""
_JOINS = frozenset({TokenType.JOIN, TokenType.STRAIGHT_JOIN, TokenType.APPLY})
_CALLED_BEHIND = _JOINS | {TokenType.FROM, TokenType.USING}
"""Words behind which a bracket makes a name that of a function; elsewhere it lists a table's columns."""
_JOINING = frozenset(
    {
        *(*_JOINS, TokenType.CROSS, TokenType.INNER, TokenType.LEFT, TokenType.RIGHT, TokenType.FULL),
        *(TokenType.OUTER, TokenType.NATURAL, TokenType.SEMI, TokenType.ANTI),
    }
)
_CALLED = "ny"
"""The letters of names and types: a bracket behind one is a function's, `EXTRACT(year FROM d)`, another may hold a query: `(FROM t)`."""
_NOT_BEHIND_NAMES = frozenset({TokenType.TABLE, TokenType.STAR})
_OF_WINDOWS = frozenset({"OVER", "IGNORE", "RESPECT"})
"""Words behind `NTH_VALUE(…) FROM LAST`."""
_OF_UNPIVOT = (["NAME", "VALUE"], ["NAME", "VALUES"])
"""Words of DuckDB's `UNPIVOT t ON a, b INTO NAME n VALUE v`; a name stands between them."""
_CHANGES = frozenset({"MERGE", "DELETE"})
"""Statements with a table behind USING."""
_STATEMENT_WORDS = frozenset(
    {"SELECT", "FROM", "INSERT", "MERGE", "DELETE", "UPDATE", "CREATE", "REPLACE", "COPY", "LOAD", "FETCH", "ALTER"}
)
"""Words that show what the words behind them belong to; a bracket with one of these holds a query, one without may be a function's."""


class DueName(NamedTuple):
    """A name that stands where a table is due."""

    word: str
    """The word before it."""
    name: str
    """Its last part, in lower case."""
    spelled: str
    span: Span
    """Counted from the statement's start."""


def due_names(tokens: Sequence[Token], dialect: Dialect) -> list[DueName]:
    """The names of tables that a statement's tokens show, looked at with the words around."""
    inside: list[list[str]] = [[]]
    text = letters([token.token_type for token in tokens])
    closings: Closings = {}
    due: list[int] = []
    for i, token in enumerate(tokens):
        if token.token_type is TokenType.L_PAREN:
            inside.append([] if i and text[i - 1] in _CALLED else ["("])
        elif token.token_type is TokenType.R_PAREN:
            if len(inside) > 1:
                inside.pop()
        elif text[i] in DUE and _is_table_due(tokens, i, inside, dialect):
            due.append(i)
        if word(token) in _STATEMENT_WORDS:
            inside[-1].append(word(token))
    found: list[list[DueName]] = []
    for i in reversed(due):
        found.append([])
        at, is_list = i + 1, text[i] in LISTS
        while at:
            name, end = _name_at(tokens, i, at, dialect, text[i] in GROUPS)
            found[-1] += [name] if name is not None else []
            if is_list:
                at = next_item(text, end, closings)
            else:
                at, is_list = _behind_join(tokens, text, i, end, closings), True
    return list({name.span: name for names in reversed(found) for name in names}.values())


def _behind_join(tokens: Sequence[Token], text: str, i: int, end: int, closings: Closings) -> int:
    """Where the table behind the join at *i*, its condition and a comma begins; 0 if there is none.

    A comma behind LATERAL VIEW or ARRAY JOIN is between names of columns.
    """
    if tokens[i].token_type not in _JOINS or word(tokens[i - 1]) == "ARRAY":
        return 0
    at = behind_join(text, end, closings)
    passed = tokens[end:at]
    is_view = any(a.token_type is TokenType.LATERAL and word(b) == "VIEW" for a, b in pairwise(passed))
    return 0 if is_view else at


def _name_at(tokens: Sequence[Token], i: int, at: int, dialect: Dialect, groups: bool) -> tuple[DueName | None, int]:
    """The name that begins at a token, due behind the word at *i*; None if there is none or it is called. And where it ends."""
    due = tokens[i].token_type
    passed = _BEHIND_INTO if due is TokenType.INTO else _BETWEEN
    while at < len(tokens) and (word(tokens[at]) in passed or _is_streamed(tokens, at, dialect)):
        at += 2 if word(tokens[at]) == "OR" else 1
    if at < len(tokens) and is_string(tokens[at]):
        return None, at + 1  # a file: `FROM 'x.csv', t`
    start = at
    while groups and start < len(tokens) and tokens[start].token_type is TokenType.L_PAREN:
        start += 1
    if start >= len(tokens) or not _begins_name(tokens, start) or word(tokens[start]) in _NO_TABLES:
        return None, at
    parts, end = hyphenated_at(tokens, start, dialect)
    if not parts:
        parts, end = chain_at(tokens, start, dialect)
    name = None
    if parts and not _is_no_name(tokens, start, end, due) and not _is_odd(parts, dialect):
        span = Span(tokens[start].start, tokens[end - 1].end + 1)
        name = DueName(tokens[i].text.upper(), parts[-1].lower(), ".".join(parts), span)
    if start > at:
        return name if _is_grouped(tokens, end) else None, at
    return name, behind_path(tokens, end) if tokens[start].text in MARKS else end


def _is_grouped(tokens: Sequence[Token], end: int) -> bool:
    """Whether a name that opens a bracket and ends here is a table's: another follows, or the bracket closes; not `FROM (REDUCE a …)`."""
    kinds = [token.token_type for token in tokens[end : end + 3]]
    if kinds[:1] in ([TokenType.COMMA], [TokenType.R_PAREN]):
        return True
    if kinds[:1] == [TokenType.ALIAS]:
        del kinds[0]
    return any(kind in _JOINING for kind in kinds[:2])


def _is_streamed(tokens: Sequence[Token], at: int, dialect: Dialect) -> bool:
    """Whether a word is that of Spark's `FROM STREAM t`, or of Materialize's `FROM SOURCE s`."""
    if dialect.streams and word(tokens[at]) == "SOURCE":
        return at + 1 < len(tokens) and tokens[at + 1].token_type in _NAMES
    if dialect.family != "spark" or word(tokens[at]) != "STREAM":
        return False
    behind = [word(token) for token in tokens[at + 1 : at + 4]]
    is_clause = behind == ["VERSION", "AS", "OF"] or behind[:2] == ["BIN", "BY"]
    return not is_clause and bool(behind) and tokens[at + 1].token_type in _NAMES


def _is_odd(parts: Sequence[str], dialect: Dialect) -> bool:
    """Whether a name is a path, a stage, or is given by a text: these are other entities than their words say."""
    stage = parts[0].startswith("@") and not dialect.temporary_marks
    return stage or bool(_ODD.search(parts[-1])) or (len(parts) == 1 and parts[0].upper() == "IDENTIFIER")


def _is_no_name(tokens: Sequence[Token], start: int, end: int, due: TokenType) -> bool:
    """Whether it is a word of the statement, `FROM STDIN`, or what stands behind says so, or makes it a function: `OLD TABLE (…)`."""
    return word(tokens[start]) in _NO_TABLES or any(
        is_string(each)
        or each.token_type in _NOT_BEHIND_NAMES
        or word(each) in _OF_WINDOWS
        or (each.token_type is TokenType.L_PAREN and (due in _CALLED_BEHIND or _has_properties(tokens, end)))
        for each in tokens[end : end + 1]
    )


def _has_properties(tokens: Sequence[Token], opened: int) -> bool:
    """Whether a bracket holds properties, no columns: `INSERT INTO FILES ("path" = "s3://b/x")`."""
    return opened + 2 < len(tokens) and is_string(tokens[opened + 1]) and tokens[opened + 2].token_type is TokenType.EQ


def _begins_name(tokens: Sequence[Token], at: int) -> bool:
    token = tokens[at]
    if token.token_type in _NAMES or token.text in MARKS:
        return True
    behind = tokens[at + 1].token_type if at + 1 < len(tokens) else None
    return token.text.isidentifier() and not is_string(token) and behind is TokenType.DOT


def _is_table_due(tokens: Sequence[Token], i: int, inside: list[list[str]], dialect: Dialect) -> bool:
    """Whether a word asks for a table here, and not for a column, a format, or a variable."""
    kind, before = tokens[i].token_type, tokens[i - 1].text.upper() if i else ""
    around = inside[-1]
    if kind is TokenType.APPLY:
        return before in ("CROSS", "OUTER")  # not `APPLY CHANGES INTO t`
    if kind in _JOINS:
        return before != "FOR"  # MySQL's `USE INDEX FOR JOIN (i)`
    if dialect.family == "exasol" and i + 1 < len(tokens) and word(tokens[i + 1]) in _OTHER_DATABASES:
        return tokens[0].text.upper() not in ("IMPORT", "EXPORT") and "IMPORT" not in map(word, tokens[:i])
    if kind is TokenType.FROM:
        bound = (
            before == "VALUES" and word(tokens[max(i - 2, 0)]) == "FOR"
        )  # `PARTITION OF t FOR VALUES FROM (1) TO (2)`
        rollup = around[:1] == ["ALTER"] and any(word(token) == "ROLLUP" for token in tokens[:i])
        return (
            before not in ("DISTINCT", "SYSTEM_TIME")
            and not bound
            and not (before == "COLUMNS" and [word(t) for t in tokens[i + 1 : i + 3]] == ["PATH", "AS"])  # of a load
            and not rollup  # `ALTER TABLE t ADD ROLLUP r (a) FROM s`
            and (len(inside) == 1 or bool(around))  # not `EXTRACT(year FROM d)`
            and around[-1:] != ["FETCH"]
        )
    if kind is TokenType.USING:
        return around[-1:] != [] and (around[-1] in _CHANGES or around[-2:] == ["DELETE", "FROM"])
    if kind is TokenType.UPDATE:
        return before not in ("FOR", "ON", "DO", "THEN", "KEY")
    if kind is TokenType.INTO:
        if [word(token) for token in tokens[i + 1 : i + 4 : 2]] in _OF_UNPIVOT:
            return False
        if dialect.family == "druid" and [word(token) for token in tokens[i + 1 : i + 3]] == ["EXTERN", "("]:
            return False  # files
        if around[-2:] == ["CREATE", "FROM"]:
            return False  # Materialize's `CREATE SINK s FROM v INTO KAFKA CONNECTION c`
        return around[-1:] not in (["SELECT"], ["FROM"], ["FETCH"]) or not dialect.into_variables
    if kind is TokenType.TABLE:
        return bool(around) and around[-1] in ("INSERT", "CREATE", "REPLACE", "SELECT", "FROM") and before != "RETURNS"
    return True
