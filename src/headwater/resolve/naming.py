"""Names of outputs that have no alias, as each dialect makes them."""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from headwater.resolve.flow import column_at
from headwater.resolve.position import position
from headwater.resolve.scope import Scope
from headwater.resolve.time_window import TIME_WINDOWS


def output_name(scope: Scope, node: Any, unnamed: int, position: int) -> str:
    """The name of an unaliased select item: a field's own name, else the dialect's habit.

    *unnamed* counts the items without a name before it, *position* all columns.
    """
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
        return scope.dialect.column(node.expression)
    if isinstance(node, exp.Paren) and isinstance(node.this, exp.Column):
        return scope.dialect.column(node.this.this)
    numbers = _NUMBERED.get(scope.dialect.family)
    if numbers is not None:
        return numbers.format(unnamed=unnamed, position=position, ordinal=position + 1)
    habit = _HABITS.get(scope.dialect.family)
    if habit is not None:
        return habit(scope, node)
    return scope.dialect.fold_column(_text(scope, node), False)


def _text(scope: Scope, node: Any) -> str:
    """The expression as written, on one line."""
    places = scope.builder.places
    text = "" if scope.builder.expanding else places.expression(node).text
    text = text or node.sql(scope.dialect.grammar_name, unsupported_level=ErrorLevel.IGNORE)
    return " ".join(text.split())


def _oracle(scope: Scope, node: Any) -> str:
    """The expression without its spaces."""
    return "".join(_text(scope, node).split()).upper()


def _postgres(scope: Scope, node: Any) -> str:
    """Casts and elements are named like what they are of, calls like their function, subqueries like their column, others `?column?`."""
    while isinstance(node, (exp.Cast, exp.Paren, exp.Bracket)):
        node = node.this
    if isinstance(node, exp.Subquery) and scope.dialect.family == "postgres":
        return _of_subquery(scope, node)
    if isinstance(node, exp.Column):
        return scope.dialect.column(node.this)
    if isinstance(node, exp.Case):
        return "case"
    while isinstance(node, (exp.Window, exp.Filter, exp.WithinGroup)):
        node = node.this
    if isinstance(node, exp.Func) and not isinstance(node, (exp.And, exp.Or)):
        text = _text(scope, node).partition("(")[0].strip()
        return text.lower() if text.isidentifier() else "?column?"
    return "?column?"


def _of_subquery(scope: Scope, node: Any) -> str:
    """The name of the only column of a subquery; a union has that of its first SELECT."""
    while isinstance(node, (exp.Subquery, exp.SetOperation)):
        node = node.this
    items = node.expressions if isinstance(node, exp.Select) else []
    if len(items) != 1 or isinstance(items[0], exp.Star):
        return "?column?"
    (item,) = items
    return scope.dialect.column(item.args["alias"]) if isinstance(item, exp.Alias) else _postgres(scope, item)


def _duckdb(scope: Scope, node: Any) -> str:
    """As written, but for count(*), and for `#2`, which has the name of its column."""
    named = column_at(scope, position(node.this)) if isinstance(node, exp.PositionalColumn) else None
    if named is not None and named[0] != "*":
        return named[0]
    counted = node.this if isinstance(node, exp.Count) and not node.expressions else None
    return "count_star()" if isinstance(counted, exp.Star) else scope.dialect.fold_column(_text(scope, node), False)


def _spark(scope: Scope, node: Any) -> str:
    """The cast of a column has the column's name, a path its last key, a string its value, a window its function; else as written."""
    cast = node
    while isinstance(cast, exp.Paren):
        cast = cast.this
    key = _last_key(cast.this if isinstance(cast, exp.Cast) else cast)
    if key is not None:
        return scope.dialect.fold_column(key, False)
    inner = cast.this if isinstance(cast, exp.Cast) else None
    if isinstance(inner, exp.Column) and isinstance(inner.this, exp.Identifier):
        return scope.dialect.column(inner.this)
    if isinstance(inner, exp.Dot) and isinstance(inner.expression, exp.Identifier):
        return scope.dialect.column(inner.expression)
    if isinstance(node, exp.Literal) and node.is_string:
        return scope.dialect.fold_column(scope.builder.places.literal(node), False)
    if isinstance(node, exp.Anonymous) and str(node.this).lower() in TIME_WINDOWS:
        return str(node.this).lower()
    text = _text(scope, node)
    cast_by_call = _CAST_BY_CALL.fullmatch(text) if isinstance(node, exp.Func) else None
    return scope.dialect.fold_column(cast_by_call[1] if cast_by_call is not None else text, False)


def _last_key(node: Any) -> str | None:
    """The last key of `v:a.b[0]`; None if the node is no such path."""
    if not (isinstance(node, exp.JSONExtract) and node.args.get("variant_extract")):
        return None
    keys = [part.this for part in node.expression.expressions if isinstance(part, exp.JSONPathKey)]
    return keys[-1] if keys and isinstance(keys[-1], str) else None


_CAST_BY_CALL = re.compile(
    r"(?:boolean|tinyint|smallint|int|bigint|float|double|decimal|date|timestamp|binary|string)"
    r"\s?\(\s?(?:\w+\.)*(\w*[^\W\d]\w*)\s?\)",
    re.IGNORECASE,
)
"""`decimal(t.a)` is a cast of the column a."""


_HABITS = {
    "spark": _spark,
    "databricks": _spark,
    "duckdb": _duckdb,
    "oracle": _oracle,
    "postgres": _postgres,
    "redshift": _postgres,
}

_NUMBERED = {
    "bigquery": "f{unnamed}_",
    "hive": "_c{position}",
    "trino": "_col{position}",
    "presto": "_col{position}",
    "athena": "_col{position}",
    "db2": "{ordinal}",
}
"""Dialects that number the columns without a name."""
