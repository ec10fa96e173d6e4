"""Delta Lake's commands: MERGE, UPDATE, DELETE and clones. What these run inside (files that are looked for, the log) is no job of its own.

MERGE and UPDATE give a value to every column of the table; one that is the column itself was not assigned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.analyzers.catalyst.executed.commands import Executed, executes
from headwater.analyzers.catalyst.executed.owners import parts_of
from headwater.analyzers.catalyst.executed.places import local
from headwater.analyzers.catalyst.flow import flow
from headwater.analyzers.catalyst.merge import Branch, merge_branches
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.relation import attributes
from headwater.analyzers.catalyst.update import change, close, delete_where
from headwater.analyzers.catalyst.work import parts_of as name_parts
from headwater.analyzers.select import Scope, Select, Unread
from headwater.model.kind import FROM_ROWS, IDENTITY, WHERE
from headwater.resolve.builder import Table
from headwater.resolve.scope import ResultSet
from headwater.resolve.statement import Outcome

_CLAUSES = ("matchedClauses", "notMatchedClauses", "notMatchedBySourceClauses")
_ACTION = "DeltaMergeAction"


@executes("MergeIntoCommand")
def merge(work: Executed, plan: Any, node: Node) -> Outcome:
    """MERGE, in SQL or by DeltaTable."""
    target, source = _inside(node, "target"), _inside(node, "source")
    columns = {each.label.lower(): each for each in _columns(target)}
    branches = [
        Branch(_type(clause), clause.tree("condition"), _assigning(clause, columns))
        for clauses in _CLAUSES
        for clause in node.trees(clauses)
    ]
    return merge_branches(work, target, source, node.tree("condition"), branches)


def _type(clause: Node) -> str:
    return next(
        (f"merge-{word.lower()}" for word in ("Update", "Insert", "Delete") if word in clause.name), "merge-update"
    )


def _assigning(clause: Node, columns: dict[str, Node]) -> Callable[[Scope], None]:
    def assign(scope: Scope) -> None:
        for action in (each for each in clause.children if each.name == _ACTION):
            path = list(name_parts(action.fields["targetColNameParts"]))
            column = columns.get(path[0].lower()) if len(path) == 1 else None
            _change(scope, path, action.children[0], column)

    return assign


def _change(scope: Scope, path: list[str], value: Node, column: Node | None) -> None:
    """Assign a value, unless it is the column's own."""
    if column is not None and value.name == "AttributeReference" and value.id == column.id:
        return
    folded = [scope.select.fold(part) for part in path]
    change(scope, folded, value, column.fields.get("dataType") if column is not None else None)


@executes("UpdateCommand")
def update(work: Executed, plan: Any, node: Node) -> Outcome:
    """UPDATE, in SQL or by DeltaTable."""
    target = _inside(node, "target")
    table, known = work.changed(target)
    changes = Select(work.reader, None, "update-set")
    scope = Scope(changes, known)
    condition = node.tree("condition")
    if condition is not None:
        flow(scope, condition, changes.result.rows, WHERE)
    for column, value in zip(_columns(target), node.trees("updateExpressions"), strict=False):
        _change(scope, [column.label], value, column)
    close(work, changes, table)
    return Outcome("Update")


@executes("DeleteCommand")
def delete(work: Executed, plan: Any, node: Node) -> Outcome:
    """DELETE, in SQL or by DeltaTable."""
    return delete_where(work, _inside(node, "target"), node.tree("condition"))


@executes("CreateDeltaTableCommand")
def create(work: Executed, plan: Any, node: Node) -> Outcome | None:
    """CREATE TABLE … CLONE; any other table is created by a command around this one, or has no query."""
    asked = plan.query()
    if not asked.isDefined() or str(asked.get().getClass().getSimpleName()) != "CloneTableCommand":
        return None
    return _clone(work, asked.get().sourceTable(), work.owners.table(parts_of(node.fields["table"]["identifier"])))


@executes("CloneTableCommand")
def clone(work: Executed, plan: Any, node: Node) -> Outcome:
    """A clone to a path."""
    return _clone(work, plan.sourceTable(), work.owners.path(local(str(plan.targetPath().toString())), "delta"))


def _clone(work: Executed, cloned: Any, table: Table) -> Outcome:
    if not cloned.catalogTable().isDefined():
        source = work.owners.path(local(str(cloned.dataPath().toString())), "delta")
    else:
        identifier = cloned.catalogTable().get().identifier()
        source = work.owners.table((str(identifier.database().get()), str(identifier.table())))
    work.builder.reads(source)
    result = ResultSet(work.builder, "select_list", None)
    names = [work.fold(str(name)) for name in cloned.schema().fieldNames()]
    source.schema = {**(source.schema or {}), **dict.fromkeys(names, "")}
    for name in names:
        work.builder.edge(result.add(name, None), source.claim(name), IDENTITY, None)
    work.builder.edge(result.rows, source.rows, FROM_ROWS, None)
    work.write(table, names, result.complete())
    return Outcome("Clone")


def _inside(node: Node, key: str) -> Node:
    found = node.tree(key)
    if found is None:
        raise Unread(f"the {key} of {node.name}")
    return found


def _columns(target: Node) -> list[Node]:
    while target.name == "SubqueryAlias":
        target = target.children[0]
    return attributes(target)
