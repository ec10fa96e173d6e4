"""UPDATE, DELETE, MERGE: assignments and conditions over the table that is changed."""

from __future__ import annotations

from headwater.analyzers.select import Attribute, Scope, Select, Unread
from headwater.analyzers.zetasql.flow import flow, make
from headwater.analyzers.zetasql.join import compare, side
from headwater.analyzers.zetasql.nested import unwound
from headwater.analyzers.zetasql.tree import Node
from headwater.analyzers.zetasql.work import Work, commands
from headwater.model.kind import WHERE, WRITE_ROWS
from headwater.resolve.builder import Table
from headwater.resolve.merge import Earlier
from headwater.resolve.statement import Outcome
from headwater.resolve.update import write_changes

_TYPES = {"INSERT": "merge-insert", "UPDATE": "merge-update", "DELETE": "merge-delete"}


@commands("UpdateStmt")
def update(work: Work, node: Node) -> Outcome:
    """`UPDATE t SET a = x FROM u WHERE …`."""
    _refuse_returning(node)
    table, columns = work.changed(node.node("table_scan"))
    changes = Select(work.reader, None, "update-set")
    source = node.optional("from_scan")
    scope = Scope(changes, columns + (side(changes, source) if source is not None else []))
    condition = node.optional("where_expr")
    if condition is not None:
        flow(scope, condition, changes.result.rows, WHERE)
    _assign(scope, node.nodes("update_item_list"))
    _write(work, changes, table)
    return Outcome("Update")


@commands("DeleteStmt")
def delete(work: Work, node: Node) -> Outcome:
    """`DELETE FROM t WHERE …`: nothing flows, the condition decides over the table's rows."""
    _refuse_returning(node)
    table, columns = work.changed(node.node("table_scan"))
    deleted = Select(work.reader, None, "delete")
    condition = node.optional("where_expr")
    if condition is not None:
        flow(Scope(deleted, columns), condition, deleted.result.rows, WHERE)
    deleted.result.complete()
    work.builder.edge(table.rows, deleted.result.rows, WRITE_ROWS, None)
    return Outcome("Delete")


@commands("MergeStmt")
def merge(work: Work, node: Node) -> Outcome:
    """`MERGE INTO t USING s ON … WHEN …`: every WHEN is a change set of its own."""
    table, ours = work.changed(node.node("table_scan"))
    using = Select(work.reader, None, "select_list")
    theirs = side(using, node.node("from_scan"))
    earlier = Earlier(work.builder)
    for when in node.nodes("when_clause_list"):
        rows = _branch(work, node, when, table, ours, theirs, using.items)
        takes = when.optional("match_expr") is not None and when.fields.get("action_type") != "DELETE"
        earlier.take(str(when.fields.get("match_type")), rows, takes)
    return Outcome("Merge")


def _branch(
    work: Work, node: Node, when: Node, table: Table, ours: list[Attribute], theirs: list[Attribute], items: list[int]
) -> int:
    action = str(when.fields.get("action_type"))
    changes = Select(work.reader, None, _TYPES[action])
    changes.items = list(items)
    rows = changes.result.rows
    compare(changes, node.node("merge_expr"), ours, theirs, rows)
    scope = Scope(changes, ours + theirs)
    condition = when.optional("match_expr")
    if condition is not None:
        flow(scope, condition, rows, WHERE)
    _assign(scope, when.nodes("update_item_list"))
    row = when.optional("insert_row")
    for column, value in zip(when.columns("insert_column_list"), row.nodes("value_list") if row else (), strict=False):
        make(scope, value.node("value"), changes.result.add(work.fold(column.name), None))
    _write(work, changes, table)
    if action != "UPDATE":
        work.builder.edge(table.rows, rows, WRITE_ROWS, None)
    return rows


def _assign(scope: Scope, items: list[Node]) -> None:
    """`a = x`: the new value of a column, or of a field of one."""
    for item in items:
        value = item.optional("set_value")
        if value is None:
            raise Unread("a change inside an array")
        path, base = unwound(scope, item.node("target"))
        name = ".".join([scope.select.fold(base.column().name), *path])
        make(scope, value.node("value"), scope.select.result.add(name, None))


def _write(work: Work, changes: Select, table: Table) -> None:
    """Write what was assigned into the table, under what decides over the changed rows."""
    changes.close([])
    write_changes(work.builder, table, changes.result)


def _refuse_returning(node: Node) -> None:
    if node.optional("returning") is not None:
        raise Unread("THEN RETURN")
