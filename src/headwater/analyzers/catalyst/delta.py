"""Delta Lake's MERGE, UPDATE and DELETE, after its own analysis.

MERGE and UPDATE give a value to every column of the table; one that is the column itself was not assigned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.analyzers.catalyst.changes import (
    BRANCHES,
    NOT_MATCHED,
    UPDATE,
    Written,
    branches_of,
    changes,
)
from headwater.analyzers.catalyst.flow import flow
from headwater.analyzers.catalyst.merge import Branch, merge_branches
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.relation import attributes
from headwater.analyzers.catalyst.struct_change import change_column, is_filler
from headwater.analyzers.catalyst.update import change, close, delete_where
from headwater.analyzers.catalyst.work import Writing, parts_of
from headwater.analyzers.select import Scope, Select, Unread
from headwater.model.kind import WHERE
from headwater.resolve.statement import Outcome

_CLAUSES = ("matchedClauses", "notMatchedClauses", "notMatchedBySourceClauses")
_ACTION = "DeltaMergeAction"


@changes("MergeIntoCommand")
def merge(work: Writing, plan: Any, node: Node) -> Outcome:
    """MERGE, in SQL or by DeltaTable."""
    target, source = _inside(node, "target"), _inside(node, "source")
    columns = {each.label.lower(): each for each in _columns(target)}
    branches = [
        Branch(kind, _type(clause), clause.tree("condition"), _assigning(clause, columns, kind, written))
        for clause, kind, written in branches_of(work, node, [*zip(_CLAUSES, BRANCHES, strict=True)])
    ]
    return merge_branches(work, target, source, node.tree("condition"), branches)


def _type(clause: Node) -> str:
    return next(
        (f"merge-{word.lower()}" for word in ("Update", "Insert", "Delete") if word in clause.name), "merge-update"
    )


def _assigning(clause: Node, columns: dict[str, Node], kind: str, written: Written | None) -> Callable[[Scope], None]:
    def assign(scope: Scope) -> None:
        for action in (each for each in clause.children if each.name == _ACTION):
            path = parts_of(action.fields["targetColNameParts"])
            column = columns.get(path[0].lower()) if len(path) == 1 else None
            if column is None:
                change(scope, [scope.select.fold(part) for part in path], action.children[0], None)
            elif kind != NOT_MATCHED or not is_filler(action.children[0], path[0], written):
                change_column(scope, column, action.children[0], written)

    return assign


@changes("UpdateCommand")
def update(work: Writing, plan: Any, node: Node) -> Outcome:
    """UPDATE, in SQL or by DeltaTable."""
    target = _inside(node, "target")
    table, known = work.changed(target)
    made = Select(work.reader, None, "update-set")
    scope = Scope(made, known)
    condition = node.tree("condition")
    if condition is not None:
        flow(scope, condition, made.result.rows, WHERE)
    written = next(iter(work.assigned.get(UPDATE, ())), None)
    for column, value in zip(_columns(target), node.trees("updateExpressions"), strict=False):
        change_column(scope, column, value, written)
    close(work, made, table)
    return Outcome("Update")


@changes("DeleteCommand")
def delete(work: Writing, plan: Any, node: Node) -> Outcome:
    """DELETE, in SQL or by DeltaTable."""
    return delete_where(work, _inside(node, "target"), node.tree("condition"))


def _inside(node: Node, key: str) -> Node:
    found = node.tree(key)
    if found is None:
        raise Unread(f"the {key} of {node.name}")
    return found


def _columns(target: Node) -> list[Node]:
    while target.name == "SubqueryAlias":
        target = target.children[0]
    return attributes(target)
