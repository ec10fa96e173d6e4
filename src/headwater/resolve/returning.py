"""RETURNING and OUTPUT: the rows that a data-changing statement hands back, to the client or into a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from headwater.model.kind import AGGREGATE_ROWS, FROM_ROWS
from headwater.model.resolution import FUNCTIONS
from headwater.resolve.builder import Builder, Table
from headwater.resolve.from_item import alias_name
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.select import select_list
from headwater.resolve.write import write_by_position, write_to_schema

_ACTION = "$action"
"""T-SQL's word for what MERGE did to a row."""


_CHANGED = ("inserted", "deleted", "new", "old", "INSERTED", "DELETED", "Inserted", "Deleted")
"""What the changed rows are called. T-SQL's words have no case, even where names do."""


def returning(
    builder: Builder,
    node: Any,
    table: Table,
    environment: Environment,
    scope: Scope | None = None,
    changed: Sequence[int] = (),
) -> ResultSet | None:
    """The result set of a RETURNING clause, over the written table and whatever else is in scope.

    *changed* are the row sets of what was changed: whatever decides over these decides over the rows that come back.
    """
    clause = node.args.get("returning")
    if clause is None:
        return None
    result = ResultSet(builder, "select_list", clause)
    inner = _scope(builder, node, table, environment, scope, result)
    if isinstance(node, exp.Merge):
        action = inner.names[_ACTION] = builder.column(FUNCTIONS, _ACTION, clause)
        builder.edge(action, table.rows, AGGREGATE_ROWS, None)
    for rows in (table.rows, *changed):
        builder.edges.append((result.rows, rows, FROM_ROWS, None))
    select_list(inner, clause.expressions, result)
    result.complete()
    if isinstance(clause.args.get("into"), exp.Expr) and not builder.dialect.into_variables:
        _into(builder, clause.args["into"], result)
        return None
    return result


def _scope(
    builder: Builder, node: Any, table: Table, environment: Environment, around: Scope | None, result: ResultSet
) -> Scope:
    """The written table under all its names, and what else the statement reads: behind it, before it for MERGE."""
    inner = Scope(builder, None, environment, result.rows)
    others = [item for item in around.items if item.owner is not table] if around is not None else []
    if isinstance(node, exp.Merge):
        inner.see(others)
    written = inner.add(table.name[-1], table, aliased=False)
    if not isinstance(node, exp.Merge):
        inner.see(others)
    names = [item.name for item in around.items if item.owner is table] if around is not None else []
    if isinstance(node, exp.Insert):
        names.append(target_alias(inner, node))
    for name in (*names, *_CHANGED):
        if name is not None:
            inner.by_name.setdefault(name, written)
    return inner


def target_alias(scope: Scope, node: Any) -> str | None:
    """The alias of the table that an INSERT writes, `INSERT INTO t AS x (a, b)`."""
    target = node.this.this if isinstance(node.this, exp.Schema) else node.this
    return alias_name(scope, target) if isinstance(target, exp.Table) else None


def _into(builder: Builder, into: Any, result: ResultSet) -> None:
    """T-SQL's `OUTPUT … INTO x (a, b)`: what is handed back is written into another table."""
    columns = into.expressions if isinstance(into, exp.Schema) else []
    node = into.this if isinstance(into, exp.Schema) else into
    table = builder.writes(builder.table(node if isinstance(node, exp.Table) else exp.Table(this=node)))
    names = [builder.dialect.column(c.this if isinstance(c, exp.Column) else c) for c in columns]
    if names or table.schema is not None:
        write_to_schema(builder, table, names or list(table.schema or ()), result, into)
    else:
        write_by_position(builder, table, [name for name, _ in result.outputs], result, into)
