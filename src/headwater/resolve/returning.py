"""RETURNING and OUTPUT: the rows that a data-changing statement hands back."""

from __future__ import annotations

from typing import Any

from headwater.model.kind import FROM_ROWS
from headwater.resolve.builder import Builder, Table
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.select import select_list


def returning(
    builder: Builder, node: Any, table: Table, environment: Environment, scope: Scope | None = None
) -> ResultSet | None:
    """The result set of a RETURNING clause, over the written table and whatever else is in scope."""
    clause = node.args.get("returning")
    if clause is None:
        return None
    result = ResultSet(builder, "select_list", clause)
    inner = Scope(builder, None, environment, result.rows)
    inner.add(table.name[-1], table, aliased=False)
    for name in ("inserted", "deleted", "new", "old"):
        inner.by_name.setdefault(name, inner.items[0])
    if scope is not None:
        inner.see(i for i in scope.items if i.owner is not table)
        for item in scope.items:
            if item.owner is table and item.name != table.name[-1]:
                inner.add(item.name, table)
    builder.edges.append((result.rows, table.rows, FROM_ROWS, None))
    select_list(inner, clause.expressions, result)
    return result.complete()
