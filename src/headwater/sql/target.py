"""The table that a script's last query fills although no statement says so: a folder names it, or a job that runs the script.

The script says it in a comment, in its first lines or its last one:

    -- headwater: target=shop.mart.orders

The last bare query of such a script is read as `CREATE TABLE shop.mart.orders AS …`. Statements that name their own table stay what they
are; a script that creates or fills the table itself is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.entity import TableName
from headwater.sql.dialect import Dialect
from headwater.sql.spelled_name import bare, in_quotes, split_name, unquoted

FILLED = "filled"
"""On a CREATE that no script has: the table may be there already, with the columns that a catalog says."""
_WORD = "headwater:"
_COMMENT = re.compile(
    r"^[ \t]*(?:--|#|//|/\*)[ \t]*headwater:[ \t]*target[ \t]*=[ \t]*(?P<name>[^\s*]+)[ \t]*(?:\*/)?[ \t]*$",
    re.MULTILINE,
)
_FIRST_LINES = 10
_PLAIN = re.compile(r"[^\W\d][\w$]*")
_BEGINNINGS = frozenset({TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN, TokenType.FROM})
_WRITES = frozenset({TokenType.INSERT, TokenType.UPDATE, TokenType.DELETE, TokenType.MERGE, TokenType.INTO})
_FILLS = frozenset({TokenType.CREATE, TokenType.INSERT, TokenType.MERGE, TokenType.REPLACE})


def target_of(sql: str) -> str:
    r"""The table that a script says its last query fills; empty if it says none.

    >>> target_of("-- headwater: target=mart.orders\nSELECT 1 AS a")
    'mart.orders'
    """
    if _WORD not in sql:
        return ""
    found = _COMMENT.search(sql, sql.rstrip().rfind("\n") + 1)
    if found is None:
        found = _COMMENT.search(sql, 0, _end_of_lines(sql, _FIRST_LINES))
    return found["name"] if found else ""


def with_target(sql: str, name: str) -> str:
    """A script that says, behind everything else, which table its last query fills: all places stay what they are."""
    return f"{sql}\n-- headwater: target={name}" if name else sql


def spelled_target(parts: Sequence[str]) -> str:
    """A table's name as a comment spells it: parts that are no plain names are in quotes.

    >>> spelled_target(["moz-fx", "mart", "orders"])
    '"moz-fx".mart.orders'
    """
    return ".".join(part if _PLAIN.fullmatch(part) or unquoted(part)[1] else in_quotes(part) for part in parts)


def table_name(name: str, dialect: Dialect) -> TableName:
    """A target's name, folded as the dialect does it."""
    return tuple(dialect.spelled_table(part) for part in split_name(name))


def filling(pieces: Sequence[Sequence[Token]], name: str) -> int | None:
    """The number of the statement that fills the target: the last bare query, unless another statement makes the table."""
    last = bare(split_name(name)[-1]).lower()
    found = None
    for number, tokens in enumerate(pieces):
        if tokens and tokens[0].token_type in _FILLS and any(_ends_with(token, last) for token in tokens[:40]):
            return None
        if _is_bare_query(tokens):
            found = number
    return found


def created(query: Any, name: str, first: Token) -> Any:
    """`CREATE TABLE name AS query`; the name stands where the query begins."""
    parts = [_identifier(part, first) for part in split_name(name)]
    table = exp.Table(**dict(zip(("this", "db", "catalog"), reversed(parts[-3:]), strict=False)))
    made = exp.Create(this=table, kind="TABLE", replace=True, expression=query)
    made.meta[FILLED] = True
    return made


def _identifier(part: str, first: Token) -> exp.Identifier:
    text, is_quoted = unquoted(part)
    made = exp.Identifier(this=text, quoted=is_quoted)
    made.update_positions(first)
    return made


def _is_bare_query(tokens: Sequence[Token]) -> bool:
    """Whether a statement is a query that nothing takes: no INSERT behind its WITH, no INTO."""
    if not tokens or tokens[0].token_type not in _BEGINNINGS:
        return False
    depth = 0
    for token in tokens:
        kind = token.token_type
        if kind is TokenType.L_PAREN:
            depth += 1
        elif kind is TokenType.R_PAREN:
            depth -= 1
        elif depth == 0 and kind in _WRITES:
            return False
    return True


def _ends_with(token: Token, name: str) -> bool:
    text = token.text.lower()
    return text == name or text.endswith(f".{name}")


def _end_of_lines(sql: str, count: int) -> int:
    end = -1
    for _ in range(count):
        end = sql.find("\n", end + 1)
        if end < 0:
            return len(sql)
    return end
