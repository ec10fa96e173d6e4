"""UPDATE and DELETE: assignments and conditions over the table that is changed."""

from __future__ import annotations

from typing import Any

from headwater.analyzers.catalyst.flow import flow, make
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.work import Work, Writing, commands, parts_of
from headwater.analyzers.select import Scope, Select
from headwater.model.kind import WHERE, WRITE_ROWS
from headwater.resolve.builder import Table
from headwater.resolve.statement import Outcome
from headwater.resolve.update import write_changes


@commands("UpdateTable")
def update(work: Work, plan: Any, node: Node) -> Outcome:
    """`UPDATE t SET a = x WHERE …`."""
    casts = written_casts(node.trees("assignments"))
    return update_table(work, work.engine.read(work.engine.analyse(plan)), casts)


def update_table(work: Writing, node: Node, casts: frozenset[str] = frozenset()) -> Outcome:
    """An analysed UPDATE; *casts* are the columns whose value is a cast that somebody wrote."""
    table, columns = work.changed(node.children[0])
    changes = Select(work.reader, None, "update-set")
    scope = Scope(changes, columns)
    condition = node.tree("condition")
    if condition is not None:
        flow(scope, condition, changes.result.rows, WHERE)
    assign(scope, node.trees("assignments"), casts)
    close(work, changes, table)
    return Outcome("Update")


@commands("DeleteFromTable")
def delete(work: Work, plan: Any, node: Node) -> Outcome:
    """`DELETE FROM t WHERE …`: nothing flows, the condition decides over the table's rows."""
    return delete_rows(work, work.engine.read(work.engine.analyse(plan)))


def delete_rows(work: Writing, node: Node) -> Outcome:
    """An analysed DELETE."""
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


def written_casts(assignments: list[Node]) -> frozenset[str]:
    """Of assignments as they were parsed, the columns whose value is a cast that somebody wrote, not one that Spark adds."""
    keys = [each.children[0] for each in assignments if each.children[1].name == "Cast"]
    return frozenset(parts_of(key.fields["nameParts"])[-1].lower() for key in keys)


def assign(scope: Scope, assignments: list[Node], casts: frozenset[str]) -> None:
    """`a = x`: the new value of a column, or of a field of one; Spark casts it to the column's type."""
    for each in assignments:
        key, value = each.children
        path = _path(scope.select, key)
        change(scope, path, value, None if path[-1].lower() in casts else key.fields.get("dataType"))


def change(scope: Scope, path: list[str], value: Node, type: Any) -> None:
    """Let a value become that of a column; a cast to *type*, the column's, is Spark's."""
    column = scope.select.result.add(".".join(path), None)
    make(scope, value.children[0] if _is_fitted(value, type) else value, column)


def _is_fitted(value: Node, type: Any) -> bool:
    """Whether a value is a column that Spark cast to the type of the one it goes to."""
    return (
        value.name == "Cast"
        and value.children[0].name == "AttributeReference"
        and type is not None
        and value.fields.get("dataType") == type
    )


def _path(select: Select, key: Node) -> list[str]:
    if key.name == "GetStructField":
        return [*_path(select, key.children[0]), select.fold(str(key.fields.get("name")))]
    return [select.fold(key.label)]


def close(work: Writing, changes: Select, table: Table) -> None:
    """Write what was assigned into the table, under what decides over the changed rows."""
    changes.close([])
    write_changes(work.builder, table, changes.result)
