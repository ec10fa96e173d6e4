"""MERGE: every WHEN branch is a change set of its own, under ON and its own AND."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple

from headwater.analyzers.catalyst.flow import flow
from headwater.analyzers.catalyst.join import compare
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.update import assign, close, written_casts
from headwater.analyzers.catalyst.work import Work, Writing, commands
from headwater.analyzers.select import Scope, Select
from headwater.model.kind import WHERE, WRITE_ROWS
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
    branches = [
        Branch(_TYPES.get(action.name, "merge-update"), action.tree("condition"), _assigning(action, written))
        for action, written in zip(_actions(node), chain(casts, repeat(frozenset[str]())), strict=False)
    ]
    return merge_branches(work, node.children[0], node.children[1], node.tree("mergeCondition"), branches)


class Branch(NamedTuple):
    """A WHEN of a MERGE."""

    type: str
    condition: Node | None
    """Its own condition: `WHEN MATCHED AND …`."""
    assign: Callable[[Scope], None]
    """Lets values become those of columns."""


def merge_branches(work: Writing, target: Node, source: Node, on: Node | None, branches: Sequence[Branch]) -> Outcome:
    """A MERGE, by its parts."""
    table, ours = work.changed(target)
    using = Select(work.reader, None, "select_list")
    theirs = using.read(source)
    for each in branches:
        changes = Select(work.reader, None, each.type)
        changes.items = list(using.items)
        rows = changes.result.rows
        compare(changes, on, ours, theirs, rows)
        scope = Scope(changes, ours + theirs)
        if each.condition is not None:
            flow(scope, each.condition, rows, WHERE)
        each.assign(scope)
        close(work, changes, table)
        if each.type != "merge-update":
            work.builder.edge(table.rows, rows, WRITE_ROWS, None)
    return Outcome("Merge")


def _actions(node: Node) -> list[Node]:
    return [action for branches in _BRANCHES for action in node.trees(branches)]


def _assignments(action: Node) -> list[Node]:
    return [each for each in action.children if each.name == "Assignment"]


def _assigning(action: Node, casts: frozenset[str]) -> Callable[[Scope], None]:
    return lambda scope: assign(scope, _assignments(action), casts)
