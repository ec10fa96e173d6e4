"""Joins of every kind, LATERAL included: what is compared decides over the rows, and relates the two sides."""

from __future__ import annotations

from headwater.analyzers.catalyst.flow import flow
from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.subquery import inner
from headwater.analyzers.comparison import compared
from headwater.analyzers.select import Attribute, Scope, Select, Unread
from headwater.model.kind import FROM_ROWS

_ONE_SIDED = frozenset({"LeftSemi", "LeftAnti"})


@reads("Join")
def join(select: Select, node: Node) -> list[Attribute]:
    """Two sides and a condition; of a semi or anti join only the left side is seen above."""
    left = select.read(node.children[0])
    before = len(select.items)
    right = select.read(node.children[1])
    compare(select, node.tree("condition"), left, right, select.result.rows)
    if node.word("joinType") not in _ONE_SIDED:
        return left + right
    for rows in select.items[before:]:
        select.builder.edge(select.result.rows, rows, FROM_ROWS, None)
    del select.items[before:]
    return left


@reads("LateralJoin")
def lateral_join(select: Select, node: Node) -> list[Attribute]:
    """The right side sees the left one."""
    left = select.read(node.children[0])
    subquery = node.tree("right")
    if subquery is None:
        raise Unread("a LATERAL join without its right side")
    result, right = inner(Scope(select, left), subquery)
    select.items.append(result.rows)
    compare(select, node.tree("condition"), left, right, select.result.rows)
    return left + right


def compare(select: Select, condition: Node | None, left: list[Attribute], right: list[Attribute], rows: int) -> None:
    """Let a join condition decide over a row set, and relate the two sides."""
    if condition is not None:
        compared(Scope(select, left + right), flow, _comparisons(condition), left, right, rows)


def _comparisons(node: Node) -> list[Node]:
    """The operands of ANDs and ORs."""
    found, stack = [], [node]
    while stack:
        current = stack.pop()
        if current.name in ("And", "Or"):
            stack.extend(reversed(current.children))
        else:
            found.append(current)
    return found
