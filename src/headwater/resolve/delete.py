"""DELETE: its condition decides over the table's rows; nothing flows."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
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
    if not isinstance(target_node, (exp.Table, exp.Subquery)):
        builder.say(Code.UNSUPPORTED_CONSTRUCT, "what this DELETE deletes from is not understood", node, "DELETE")
        return Outcome("Delete")
    target = changed_table(scope, target_node, others)
    table = _base(builder, target.owner)
    close_changes(scope, target, [table] if table is not None else [])
    if node.args.get("where") is not None:
        flow(scope, node.args["where"].this, scope.rows, WHERE)
    order_and_limit(scope, node, deleted)
    deleted.complete()
    if table is None:
        return Outcome("Delete")
    for each in dict.fromkeys([table, *_further(builder, scope, node)]):
        builder.writes(each)
        builder.edges.append((each.rows, deleted.rows, WRITE_ROWS, None))
    if node.args.get("where") is None and not scope.items[1:] and node.args.get("limit") is None:
        builder.replaced.add(table.name)
    return Outcome("Delete", returning(builder, node, table, environment, scope, [deleted.rows]))


def _further(builder: Builder, scope: Scope, node: Any) -> list[Table]:
    """MySQL's `DELETE a, b FROM …`, `DELETE FROM a, b USING …`: the tables behind the first that lose rows too."""
    named = list(node.args.get("tables") or ())[1:]
    if node.args.get("using") and isinstance(node.this, exp.Expr):
        named += [each.this for each in node.this.args.get("joins") or ()]
    names = [each.this for each in named if isinstance(each, exp.Table) and isinstance(each.this, exp.Identifier)]
    items = [scope.by_name.get(scope.dialect.column(name)) for name in names]
    bases = [_base(builder, item.owner) for item in items if item is not None]
    return [table for table in bases if table is not None]


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
