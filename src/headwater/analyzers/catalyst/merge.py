"""MERGE: every WHEN branch is a change set of its own, under ON, its own AND, and the AND of what takes rows from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from headwater.analyzers.catalyst.changes import BRANCHES, Written, branches_of, changes
from headwater.analyzers.catalyst.flow import flow
from headwater.analyzers.catalyst.join import compare
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.update import assign, close
from headwater.analyzers.catalyst.work import Writing
from headwater.analyzers.select import Attribute, Scope, Select
from headwater.model.kind import IDENTITY, WHERE, WRITE_ROWS
from headwater.resolve.merge import Earlier
from headwater.resolve.statement import Outcome

_TYPES = {"InsertAction": "merge-insert", "UpdateAction": "merge-update", "DeleteAction": "merge-delete"}


@changes("MergeIntoTable")
def merge_into(work: Writing, plan: Any, node: Node) -> Outcome:
    """`MERGE INTO t USING s ON … WHEN …`."""
    evolves = node.fields.get("withSchemaEvolution") is True
    branches = [
        Branch(
            kind,
            _TYPES.get(action.name, "merge-update"),
            action.tree("condition"),
            _assigning(action, written),
            evolves and written is not None and written.star,
        )
        for action, kind, written in branches_of(work, node, [*zip(BRANCHES, BRANCHES, strict=True)])
    ]
    return merge_branches(work, node.children[0], node.children[1], node.tree("mergeCondition"), branches)


class Branch(NamedTuple):
    """A WHEN of a MERGE."""

    kind: str
    """Which rows it is for: one of `BRANCHES`."""
    type: str
    condition: Node | None
    """Its own condition: `WHEN MATCHED AND …`."""
    assign: Callable[[Scope], None]
    """Lets values become those of columns."""
    grows: bool = False
    """Whether the table gets the columns that only the source has."""


def merge_branches(work: Writing, target: Node, source: Node, on: Node | None, branches: Sequence[Branch]) -> Outcome:
    """A MERGE, by its parts."""
    table, ours = work.changed(target)
    using = Select(work.reader, None, "select_list")
    theirs = using.read(source)
    earlier = Earlier(work.builder)
    for each in branches:
        made = Select(work.reader, None, each.type)
        made.items = list(using.items)
        rows = made.result.rows
        compare(made, on, ours, theirs, rows)
        scope = Scope(made, ours + theirs)
        if each.condition is not None:
            flow(scope, each.condition, rows, WHERE)
        each.assign(scope)
        if each.grows:
            _grow(scope, ours, theirs)
        close(work, made, table)
        if each.type != "merge-update":
            work.builder.edge(table.rows, rows, WRITE_ROWS, None)
        earlier.take(each.kind, rows, each.condition is not None and each.type != "merge-delete")
    return Outcome("Merge")


def _grow(scope: Scope, ours: list[Attribute], theirs: list[Attribute]) -> None:
    """`WITH SCHEMA EVOLUTION`: Spark's analysis of a plain table leaves out what a table that can evolve would get."""
    known = {each.name.lower() for each in ours}
    for each in theirs:
        if each.name.lower() not in known:
            column = scope.select.result.add(scope.select.fold(each.name), None)
            scope.edges.append((column, each.column, IDENTITY, None))


def _assigning(action: Node, written: Written | None) -> Callable[[Scope], None]:
    return lambda scope: assign(scope, [each for each in action.children if each.name == "Assignment"], written)
