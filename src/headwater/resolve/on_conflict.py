"""INSERT … ON CONFLICT DO UPDATE, ON DUPLICATE KEY UPDATE: an update of the rows that are there already."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import FROM_ROWS, JOIN_CONDITION, WHERE
from headwater.resolve.builder import Builder, Table
from headwater.resolve.flow import flow
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.update import assign, write_changes


def on_conflict(builder: Builder, node: Any, table: Table, given: ResultSet, environment: Environment) -> None:
    """Resolve the conflict clause of an INSERT: the rows that were given are called `excluded`."""
    clause = node.args.get("conflict")
    if not isinstance(clause, exp.Expr) or not clause.expressions:
        return
    changes = ResultSet(builder, "update-set", clause)
    scope = Scope(builder, None, environment, changes.rows)
    scope.add(table.name[-1], table, aliased=False)
    scope.add(scope.dialect.fold_column("excluded", False), _excluded(builder, node, table, given))
    builder.edges.append((changes.rows, given.rows, FROM_ROWS, None))
    keys = Scope(builder, None, environment, changes.rows)
    keys.add(table.name[-1], table)
    for key in clause.args.get("conflict_keys") or ():
        flow(keys, key, changes.rows, JOIN_CONDITION)
    if isinstance(clause.args.get("where"), exp.Expr):
        flow(scope, clause.args["where"].this, changes.rows, WHERE)
    for assignment in clause.expressions:
        assign(scope, assignment, changes)
    write_changes(builder, table, changes.complete())


def _excluded(builder: Builder, node: Any, table: Table, given: ResultSet) -> ResultSet:
    """The given rows under the target's column names."""
    columns = node.this.expressions if isinstance(node.this, exp.Schema) else []
    names = [builder.dialect.column(c) for c in columns if isinstance(c, exp.Identifier)] or list(table.schema or ())
    excluded = ResultSet(builder, "select_list", node)
    builder.edges.append((excluded.rows, given.rows, FROM_ROWS, None))
    for i, (name, column) in enumerate(given.outputs):
        excluded.pass_on(given, name, column, None, names[i] if i < len(names) else None)
    return excluded.complete()
