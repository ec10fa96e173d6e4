"""Calls of a Python program that take SQL: by their names, and where these say little by what they are given.

`spark.sql(q)` takes SQL whatever `q` is. `cursor.execute(q)` does if the names say so, because tasks and commands are executed too.
`client.query("SELECT …")` and `text("SELECT …")` do if what they are given looks like SQL.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

METHODS = frozenset({"sql", "executescript", "exec_driver_sql", "read_sql", "read_sql_query"})
"""Methods that take nothing but SQL."""
_EXECUTING = frozenset({"execute", "executemany"})
_FUNCTIONS = frozenset({"read_sql", "read_sql_query"})
_ASKING = frozenset({"query", "from_query", "query_df", "query_and_wait", "run_query", "text"})
"""Names that other libraries have for other things: pandas' `df.query("a > 1")`, SQLAlchemy's `session.query(User)`."""
_KEYWORDS = frozenset({"sql", "query", "sqlQuery", "operation", "statement", "sql_script"})
_DATABASE = re.compile(r"(?i)cur(?:sor)?s?\b|conn(?:ection)?|con\b|db\b|database|engine|session|spark|warehouse|hook")
_SQL_NAME = re.compile(r"(?i)sql|quer|stmt|statement|ddl|dml|insert|select|update|delete")
_BEGINNING = re.compile(
    r"(?i)(?:\s|--[^\n]*(?:\n|\Z)|/\*.*?\*/|\()*"
    r"(?:(?:select|with|insert|update|delete|merge|create|alter|drop|truncate|explain|declare|grant|copy|call|replace|show"
    r"|describe|pivot|unpivot|from)(?:\s+|\s*(?=[*(\"'`\[]))[\w*(\"'`\[{$@%.-]|begin\s*;)",
    re.DOTALL,
)


class SqlCall(NamedTuple):
    """A call that takes SQL."""

    call: ast.Call
    argument: ast.expr
    sure: bool
    """Whether its names say that it takes SQL; else only what it is given does."""


def sql_calls(tree: ast.AST) -> Iterator[SqlCall]:
    """The calls that take SQL; what is given something that can be no text is none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name_of(node.func) in _NAMES:
            given = [*node.args[:1], *(k.value for k in node.keywords if k.arg in _KEYWORDS)]
            if given and _may_be_text(given[0]):
                yield SqlCall(node, given[0], _is_sure(node.func, given[0]))


_NAMES = METHODS | _EXECUTING | _FUNCTIONS | _ASKING


def looks_like_sql(text: str) -> bool:
    """Whether a text begins like a statement.

    >>> looks_like_sql("select a from t"), looks_like_sql("select > 1")
    (True, False)
    """
    return _BEGINNING.match(text) is not None


def executes(call: ast.Call) -> bool:
    """Whether a call runs whatever it is given: one word is a statement then, too."""
    return "execute" in name_of(call.func)


def name_of(function: ast.expr) -> str:
    """The last name of what is called."""
    return getattr(function, "attr", "") or getattr(function, "id", "")


def _is_sure(function: ast.expr, argument: ast.expr) -> bool:
    name = name_of(function)
    if isinstance(function, ast.Name):
        return name in _FUNCTIONS
    if name in METHODS:
        return True
    return name in _EXECUTING and (_says(_DATABASE, getattr(function, "value", None)) or _says(_SQL_NAME, argument))


def _says(pattern: re.Pattern[str], node: ast.AST | None) -> bool:
    """Whether a name in an expression fits."""
    names = (name_of(each) for each in ast.walk(node)) if node is not None else ()  # type: ignore[arg-type]
    return any(pattern.search(name) for name in names)


def _may_be_text(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    return not isinstance(node, (ast.Lambda, ast.List, ast.Dict, ast.Starred))
