"""DELETE: its condition decides over the table's rows; nothing flows."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import WHERE, WRITE_ROWS
from headwater.resolve.builder import Builder, Table
from headwater.resolve.cte import with_ctes
from headwater.resolve.flow import flow
from headwater.resolve.order import order_and_limit
from headwater.resolve.returning import returning
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.statement import Outcome, resolves
from headwater.resolve.update import base_column, changed_table, close_changes


@resolves(exp.Delete)
def delete(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """`DELETE FROM t USING u WHERE …`, `DELETE a FROM t AS a JOIN …`."""
    environment = with_ctes(builder, node, None, environment)
    deleted = ResultSet(builder, "delete", node)
    scope = Scope(builder, None, environment, deleted.rows)
    target_node, others = _parts(node)
    target = changed_table(scope, target_node, others)
    table = _base(builder, target.owner)
    close_changes(scope, target)
    if node.args.get("where") is not None:
        flow(scope, node.args["where"].this, scope.rows, WHERE)
    order_and_limit(scope, node, deleted)
    deleted.complete()
    if table is None:
        return Outcome("Delete")
    builder.writes(table)
    builder.edges.append((table.rows, deleted.rows, WRITE_ROWS, None))
    if node.args.get("where") is None and not scope.items[1:] and node.args.get("limit") is None:
        builder.replaced.add(table.name)
    return Outcome("Delete", returning(builder, node, table, environment, scope, [deleted.rows]))


def _parts(node: Any) -> tuple[Any, list[Any]]:
    """The target and the other FROM items."""
    using = node.args.get("using")
    others = list(using) if isinstance(using, list) else ([using] if isinstance(using, exp.Expr) else [])
    tables = node.args.get("tables")
    if tables:
        return tables[0], [node.this, *others]
    return node.this, others


def _base(builder: Builder, owner: Any) -> Table | None:
    """The table that loses rows: the target itself, or the one behind an updatable CTE."""
    if isinstance(owner, Table):
        return owner
    for name, _ in owner.outputs:
        table, _ = base_column(builder, owner, name)
        if table is not None:
            return table
    read = {edge[1] for edge in builder.edges if edge[0] == owner.rows}
    return next((table for table in builder.tables.values() if table.rows in read), None)
