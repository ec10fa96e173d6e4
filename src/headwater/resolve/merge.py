"""MERGE: every WHEN branch is a change set of its own, under ON and its own AND."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import FROM_ROWS, IDENTITY, WHERE, WRITE_ROWS
from headwater.resolve.builder import Builder, Table
from headwater.resolve.cte import with_ctes
from headwater.resolve.flow import flow
from headwater.resolve.from_item import alias_name, from_item
from headwater.resolve.join import condition
from headwater.resolve.returning import returning
from headwater.resolve.scope import Environment, Item, ResultSet, Scope
from headwater.resolve.statement import Outcome, resolves
from headwater.resolve.update import assign, write_changes
from headwater.resolve.values import is_default
from headwater.resolve.write import say_mismatch


@resolves(exp.Merge)
def merge(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """`MERGE INTO t USING s ON … WHEN …`."""
    environment = with_ctes(builder, node, None, environment)
    table = builder.writes(builder.table(node.this))
    scope = Scope(builder, None, environment)
    alias = alias_name(scope, node.this)
    scope.add(alias or builder.dialect.column(node.this.this), table, alias is not None)
    from_item(scope, node.args["using"])
    for when in node.args["whens"].expressions:
        _branch(scope, when, table, node.args.get("on"))
    return Outcome("Merge", returning(builder, node, table, environment, scope))


def _branch(outer: Scope, when: Any, table: Table, on: Any) -> None:
    """One WHEN: a change set under ON and its own condition, over the sides that exist in it."""
    builder = outer.builder
    action = when.args["then"]
    inserts = isinstance(action, exp.Insert)
    changes = ResultSet(builder, "merge-insert" if inserts else "merge-update", when)
    both = Scope(builder, None, outer.environment, changes.rows)
    both.see(outer.items)
    for item in outer.items[1:]:
        builder.edges.append((changes.rows, item.owner.rows, FROM_ROWS, None))
    if isinstance(on, exp.Expr):
        condition(both, on, 1)
    scope = Scope(builder, None, outer.environment, changes.rows)
    scope.see(_visible(outer, when))
    if isinstance(when.args.get("condition"), exp.Expr):
        flow(scope, when.args["condition"], changes.rows, WHERE)
    if isinstance(action, exp.Expr) and isinstance(action.args.get("where"), exp.Where):
        flow(scope, action.args["where"].this, changes.rows, WHERE)
    if inserts:
        _insert(scope, action, table, changes)
    elif isinstance(action, exp.Update):
        _update(scope, action, table, changes)
    else:
        changes.row.type = "merge-delete"
    changes.complete()
    write_changes(builder, table, changes)
    if inserts or not isinstance(action, exp.Update):
        builder.edges.append((table.rows, changes.rows, WRITE_ROWS, None))


def _visible(outer: Scope, when: Any) -> list[Item]:
    """A row that is not matched has one side only: the source, or BY SOURCE the target."""
    if when.args.get("matched"):
        return outer.items
    return outer.items[:1] if when.args.get("source") else outer.items[1:]


def _source_columns(scope: Scope, table: Table) -> list[tuple[str, int]]:
    """The source's columns that the target has, for `SET *` and `INSERT *`; all of them where the target is unknown."""
    source = scope.items[-1].owner
    columns = source.star()
    if table.schema is None:
        return columns
    if source.open:
        return [(name, source.claim(name)) for name in table.schema]
    return [(name, column) for name, column in columns if name in table.schema]


def _update(scope: Scope, action: Any, table: Table, changes: ResultSet) -> None:
    for assignment in action.expressions:
        if isinstance(assignment, exp.Star):
            _star(scope, table, changes, assignment)
        else:
            assign(scope, assignment, changes)


def _star(scope: Scope, table: Table, changes: ResultSet, place: Any) -> None:
    for name, source in _source_columns(scope, table):
        scope.edges.append((changes.add(name, place), source, IDENTITY, place))


def _insert(scope: Scope, action: Any, table: Table, changes: ResultSet) -> None:
    columns, values = action.this, action.args.get("expression")
    if isinstance(columns, exp.Star) or not (columns or values):
        _star(scope, table, changes, columns)
        return
    if isinstance(columns, exp.Var):
        _row(scope, table, changes, action)
        return
    cells = values.expressions if isinstance(values, exp.Tuple) else []
    if columns is not None:
        names = [_name(scope, c) for c in columns.expressions]
    elif table.schema is not None:
        names = list(table.schema)
    else:
        names = [c.name for c in cells]
    if len(names) != len(cells):
        say_mismatch(scope.builder, table, len(names), len(cells), action)
    for name, cell in zip(names, cells, strict=False):
        column = changes.add(name, cell)
        if not is_default(cell):
            flow(scope, cell, column, IDENTITY)


def _row(scope: Scope, table: Table, changes: ResultSet, place: Any) -> None:
    """`INSERT ROW`: the source's columns by position."""
    columns = scope.items[-1].owner.star()
    names = list(table.schema) if table.schema is not None else [name for name, _ in columns]
    if len(names) != len(columns):
        say_mismatch(scope.builder, table, len(names), len(columns), place)
    for name, (_, source) in zip(names, columns, strict=False):
        scope.edges.append((changes.add(name, place), source, IDENTITY, place))


def _name(scope: Scope, node: Any) -> str:
    return scope.dialect.column(node.this if isinstance(node, exp.Column) else node)
