"""MERGE, UPDATE and DELETE of table formats that let Spark rewrite them, as Iceberg does: the plan says what happens to each row.

    MERGE     ReplaceData or WriteDelta over MergeRows, which has an instruction for each WHEN: Keep a row with these values,
              Split it (delete and insert), Discard it
    UPDATE    values behind `If(condition, new, old)`, or two rows for each changed one (Expand), or a union of changed and other rows
    DELETE    a filter that keeps the other rows, or the addresses of those to be deleted

All values are given for each row; one that is the column itself was not assigned. The condition of UPDATE and DELETE is the command's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from headwater.analyzers.catalyst.changes import BRANCHES, NOT_MATCHED, UPDATE, Written, branches_of, changes
from headwater.analyzers.catalyst.flow import flow
from headwater.analyzers.catalyst.merge import Branch, merge_branches
from headwater.analyzers.catalyst.plan import Node, tree
from headwater.analyzers.catalyst.relation import attributes
from headwater.analyzers.catalyst.struct_change import change_column, is_filler
from headwater.analyzers.catalyst.update import close, delete_where
from headwater.analyzers.catalyst.work import Writing
from headwater.analyzers.select import Scope, Select, Unread
from headwater.model.kind import WHERE
from headwater.resolve.statement import Outcome

_INSTRUCTIONS = ("matchedInstructions", "notMatchedInstructions", "notMatchedBySourceInstructions")
_MARKS = ("__row_from_source", "__row_from_target", "__row_id")
"""Columns by which Spark tells rows apart."""


@changes("ReplaceData", "WriteDelta")
def rewritten(work: Writing, plan: Any, node: Node) -> Outcome:
    """A command that Spark has rewritten; its table knows what it was."""
    target, query = node.tree("originalTable"), node.children[0]
    if target is None:
        raise Unread(f"the table of {node.name}")
    kind = str(plan.table().table().operation().command().toString())
    if kind == "MERGE":
        return _merge(work, target, query)
    if kind == "UPDATE":
        return _update(work, target, query, node.tree("condition"))
    return delete_where(work, target, node.tree("condition"))


def insert_of_merge(work: Writing, target: Node, query: Node) -> Outcome | None:
    """A MERGE that only inserts: rows of the source that have none in the table are appended. None if the plan is another."""
    if query.name == "MergeRows":
        return _merge(work, target, query)
    if query.name != "Project" or query.children[0].name != "Join":
        return None
    join = query.children[0]
    source, table = join.children
    condition = source.tree("condition") if source.name == "Filter" else None
    own = {each.label: each for each in attributes(target)}
    values = dict(zip(own, query.trees("projectList"), strict=False))
    inside = {name: value.children[0] if value.name == "Alias" else value for name, value in values.items()}
    written = next(iter(work.assigned.get(NOT_MATCHED, ())), None)
    branch = Branch(NOT_MATCHED, "merge-insert", condition, _inserting(inside, own, written))
    return merge_branches(work, table, _without_filter(source), join.tree("condition"), [branch])


def _without_filter(node: Node) -> Node:
    return node.children[0] if node.name == "Filter" else node


def _merge(work: Writing, target: Node, query: Node) -> Outcome:
    rows = next((each for each in _spine(query) if each.name == "MergeRows"), None)
    join = next((each for each in _spine(rows.children[0]) if each.name == "Join"), None) if rows is not None else None
    if rows is None or join is None:
        raise Unread("a MERGE without its rows")
    own = {each.label: each for each in attributes(target)}
    source = next((side for side in join.children if not _holds(side, own)), None)
    if source is None:
        raise Unread("a MERGE without its source")
    branches = [
        branch
        for each, kind, written in branches_of(work, rows, [*zip(_INSTRUCTIONS, BRANCHES, strict=True)])
        for branch in _branches(each, rows, kind, own, written)
    ]
    return merge_branches(work, target, _unmarked(source), join.tree("condition"), branches)


def _branches(
    instruction: Node, rows: Node, kind: str, own: dict[str, Node], written: Written | None
) -> Iterator[Branch]:
    """The WHEN of an instruction; none if it only keeps rows as they are."""
    condition = instruction.children[0] if instruction.children else None
    if condition is not None and condition.name == "Literal":
        condition = None
    names = [each.label for each in rows.trees("output")]
    given = instruction.children[1:]
    values = dict(zip(names, given[-len(names) :] if len(given) > len(names) else given, strict=False))
    wanted = {name: value for name, value in values.items() if name in own}
    if instruction.name.endswith("Discard") or _is_deletion(wanted, written):
        yield Branch(kind, "merge-delete", condition, _nothing)
    elif kind == NOT_MATCHED:
        yield Branch(kind, "merge-insert", condition, _inserting(wanted, own, written))
    elif not all(_is_own(value, own[name]) for name, value in wanted.items()):
        yield Branch(kind, "merge-update", condition, _assigning(wanted, own, written))


def _is_deletion(values: dict[str, Node], written: Written | None) -> bool:
    """Whether a row keeps no value; a WHEN that assigns constants to all columns is told from that by what is written."""
    assigns = written is not None and (written.star or bool(written.keys))
    return not assigns and all(each.name == "Literal" for each in values.values())


def _update(work: Writing, target: Node, query: Node, condition: Node | None) -> Outcome:
    table, known = work.changed(target)
    made = Select(work.reader, None, "update-set")
    scope = Scope(made, known)
    if condition is not None:
        flow(scope, condition, made.result.rows, WHERE)
    own = {each.label: each for each in attributes(target)}
    written = next(iter(work.assigned.get(UPDATE, ())), None)
    _assigning(_new_values(query, own, condition), own, written)(scope)
    close(work, made, table)
    return Outcome("Update")


def _new_values(query: Node, own: dict[str, Node], condition: Node | None) -> dict[str, Node]:
    """What an UPDATE makes of the columns."""
    made: dict[int, Node] = {}
    found: dict[str, Node] = {}
    for each in _spine(query):
        if each.name == "Expand":
            rows = [list(zip(each.trees("output"), map(tree, row), strict=False)) for row in each.fields["projections"]]
            listed = max(rows, key=lambda row: sum(_is_given(item, value, own) for item, value in row))
        elif each.name == "Project":
            listed = [(item, item.children[0] if item.name == "Alias" else item) for item in each.trees("projectList")]
        else:
            continue
        for item, value in listed:
            made[item.id] = value
            if item.label in own and item.label not in found:
                found[item.label] = item
    return {name: _chosen(_followed(item, made), condition) for name, item in found.items()}


def _is_given(item: Node, value: Node, own: dict[str, Node]) -> bool:
    """Whether a row has a value for one of the table's columns."""
    return item.label in own and value.name != "Literal"


def _followed(node: Node, made: dict[int, Node]) -> Node:
    """What makes a column, through the projections below."""
    seen: set[int] = set()
    while node.name in ("AttributeReference", "Alias") and node.id in made and node.id not in seen:
        seen.add(node.id)
        node = made[node.id]
    return node


def _chosen(node: Node, condition: Node | None) -> Node:
    """The new value of `If(condition, new, old)`; an IF with another condition is the user's own."""
    if node.name != "If":
        return node
    asked = node.children[0]
    is_added = asked.name == "Literal" or condition is None or _is_same(asked, condition)
    return node.children[1] if is_added else node


def _is_same(one: Node, other: Node) -> bool:
    return one.fields == other.fields and all(map(_is_same, one.children, other.children))


def _assigning(values: dict[str, Node], own: dict[str, Node], written: Written | None) -> Callable[[Scope], None]:
    def assign(scope: Scope) -> None:
        for name, value in values.items():
            change_column(scope, own[name], value, written)

    return assign


def _inserting(values: dict[str, Node], own: dict[str, Node], written: Written | None) -> Callable[[Scope], None]:
    listed = {name: value for name, value in values.items() if not is_filler(value, name, written)}
    return _assigning(listed, own, written)


def _nothing(scope: Scope) -> None:
    """A DELETE assigns nothing."""


def _is_own(value: Node, column: Node) -> bool:
    return value.name == "AttributeReference" and value.id == column.id


def _spine(node: Node) -> Iterator[Node]:
    """An operator, and the first child of each below it."""
    yield node
    while node.children:
        node = node.children[0]
        yield node


def _holds(side: Node, own: dict[str, Node]) -> bool:
    """Whether a side of a join reads the table that is changed, and not another one or the same once more."""
    wanted = {column.id for column in own.values()}
    return any(wanted & {each.id for each in attributes(node)} for node in _spine(side))


def _unmarked(source: Node) -> Node:
    """The source, without the projection by which Spark marks its rows."""
    marks = {each.label for each in source.trees("projectList")} & set(_MARKS) if source.name == "Project" else set()
    return source.children[0] if marks else source
