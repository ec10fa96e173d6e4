"""MERGE: every WHEN branch is a change set of its own, under ON and its own AND."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from typing import Any

from headwater.analyzers.catalyst.flow import flow
from headwater.analyzers.catalyst.join import compare
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.update import assign, close, written_casts
from headwater.analyzers.catalyst.work import Work, Writing, commands
from headwater.analyzers.select import Attribute, Scope, Select
from headwater.model.kind import WHERE, WRITE_ROWS
from headwater.resolve.builder import Table
from headwater.resolve.statement import Outcome

_TYPES = {"InsertAction": "merge-insert", "UpdateAction": "merge-update", "DeleteAction": "merge-delete"}
_BRANCHES = ("matchedActions", "notMatchedActions", "notMatchedBySourceActions")


@commands("MergeIntoTable")
def merge(work: Work, plan: Any, node: Node) -> Outcome:
    """`MERGE INTO t USING s ON … WHEN …`."""
    parsed = [written_casts(_assignments(action)) for action in _actions(node)]
    return merge_into(work, work.engine.read(work.engine.analyse(plan)), parsed)


def merge_into(work: Writing, node: Node, casts: Sequence[frozenset[str]] = ()) -> Outcome:
    """An analysed MERGE; *casts* are, for each branch, the columns whose value is a cast that somebody wrote."""
    table, ours = work.changed(node.children[0])
    using = Select(work.reader, None, "select_list")
    theirs = using.read(node.children[1])
    for action, written in zip(_actions(node), chain(casts, repeat(frozenset[str]())), strict=False):
        _branch(work, node, action, written, table, ours, theirs, using.items)
    return Outcome("Merge")


def _actions(node: Node) -> list[Node]:
    return [action for branches in _BRANCHES for action in node.trees(branches)]


def _assignments(action: Node) -> list[Node]:
    return [each for each in action.children if each.name == "Assignment"]


def _branch(
    work: Writing,
    node: Node,
    action: Node,
    casts: frozenset[str],
    table: Table,
    ours: list[Attribute],
    theirs: list[Attribute],
    items: list[int],
) -> None:
    changes = Select(work.reader, None, _TYPES.get(action.name, "merge-update"))
    changes.items = list(items)
    rows = changes.result.rows
    compare(changes, node.tree("mergeCondition"), ours, theirs, rows)
    scope = Scope(changes, ours + theirs)
    condition = action.tree("condition")
    if condition is not None:
        flow(scope, condition, rows, WHERE)
    assign(scope, _assignments(action), casts)
    close(work, changes, table)
    if action.name != "UpdateAction":
        work.builder.edge(table.rows, rows, WRITE_ROWS, None)
