"""UPDATE and DELETE: assignments and conditions over the table that is changed."""

from __future__ import annotations

from typing import Any

from headwater.analyzers.catalyst.changes import UPDATE, Written, changes
from headwater.analyzers.catalyst.flow import WRITE_CHECKS, flow, make
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.work import Writing
from headwater.analyzers.select import Scope, Select
from headwater.model.kind import WHERE, WRITE_ROWS
from headwater.resolve.builder import Table
from headwater.resolve.statement import Outcome
from headwater.resolve.update import write_changes


@changes("UpdateTable")
def update_table(work: Writing, plan: Any, node: Node) -> Outcome:
    """`UPDATE t SET a = x WHERE …`."""
    table, columns = work.changed(node.children[0])
    made = Select(work.reader, None, "update-set")
    scope = Scope(made, columns)
    condition = node.tree("condition")
    if condition is not None:
        flow(scope, condition, made.result.rows, WHERE)
    assign(scope, node.trees("assignments"), next(iter(work.assigned.get(UPDATE, ())), None))
    close(work, made, table)
    return Outcome("Update")


@changes("DeleteFromTable")
def delete_rows(work: Writing, plan: Any, node: Node) -> Outcome:
    """`DELETE FROM t WHERE …`: nothing flows, the condition decides over the table's rows."""
    return delete_where(work, node.children[0], node.tree("condition"))


def delete_where(work: Writing, target: Node, condition: Node | None) -> Outcome:
    """A DELETE, by its parts."""
    table, columns = work.changed(target)
    deleted = Select(work.reader, None, "delete")
    if condition is not None:
        flow(Scope(deleted, columns), condition, deleted.result.rows, WHERE)
    if condition is None or condition.name == "Literal":
        work.builder.replaced.add(table.name)
    deleted.result.complete()
    work.builder.edge(table.rows, deleted.result.rows, WRITE_ROWS, None)
    return Outcome("Delete")


def assign(scope: Scope, assignments: list[Node], written: Written | None) -> None:
    """`a = x`: the new value of a column, or of a field of one; Spark casts it to the column's type."""
    for each in assignments:
        key, value = each.children
        path = _path(scope.select, key)
        cast = written is not None and path[-1].lower() in written.casts
        change(scope, path, value, None if cast else key.fields.get("dataType"))


def change(scope: Scope, path: list[str], value: Node, type: Any) -> None:
    """Let a value become that of a column; a cast to *type*, the column's, is Spark's."""
    column = scope.select.result.add(".".join(path), None)
    make(scope, _unfitted(value, type), column)


def _unfitted(value: Node, type: Any) -> Node:
    """A value without the cast by which Spark fits a column to the type of the one it goes to."""
    cast = value
    while cast.name in WRITE_CHECKS:
        cast = cast.children[0]
    is_fitted = (
        cast.name == "Cast"
        and cast.children[0].name == "AttributeReference"
        and type is not None
        and cast.fields.get("dataType") == type
    )
    return cast.children[0] if is_fitted else value


def _path(select: Select, key: Node) -> list[str]:
    if key.name == "GetStructField":
        return [*_path(select, key.children[0]), select.fold(str(key.fields.get("name")))]
    return [select.fold(key.label)]


def close(work: Writing, made: Select, table: Table) -> None:
    """Write what was assigned into the table, under what decides over the changed rows."""
    made.close([])
    write_changes(work.builder, table, made.result)
