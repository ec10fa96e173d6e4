"""Names that look like columns and are none: calls without brackets, numbers of sequences, SQLite's quoted strings."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import AGGREGATE_ROWS
from headwater.resolve.scope import Scope

SEQUENCE_NUMBERS = frozenset({"NEXTVAL", "CURRVAL", "PREVVAL"})

_NUMBERS_ROWS = "ROWNUM"
_NUMBERS_GROUPS = "grouping__id"


def niladic_call(scope: Scope, name: str, node: Any) -> int | None:
    """The value of `SYSDATE`, `USER`, …; None where the name is quoted, an alias or a column that a table is known to have.

    `ROWNUM` numbers the rows as FROM gives them, so the row sets influence it; over Hive's `grouping__id` the grouping columns decide. The
    others have no source.
    """
    if _is_quoted(node) or name in scope.aliases or any(name in item.owner.listed for item in scope.items):
        return None
    builder = scope.builder
    value = builder.function(node)
    if name == _NUMBERS_ROWS:
        for item in scope.items:
            builder.edges.append((value, item.owner.rows, AGGREGATE_ROWS, None))
    elif name == _NUMBERS_GROUPS:
        scope.groupings.append(value)
    return value


def string_of(scope: Scope, node: Any) -> int | None:
    """SQLite takes a quoted name that is no column for a string."""
    if not scope.dialect.quoted_may_be_string or not _is_quoted(node):
        return None
    return scope.builder.literal(node)


def _is_quoted(node: Any) -> bool:
    return isinstance(node, exp.Column) and bool(node.this.args.get("quoted"))
