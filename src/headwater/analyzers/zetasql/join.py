"""Joins: what is compared decides over the rows, and relates the two sides."""

from __future__ import annotations

from headwater.analyzers.comparison import compared
from headwater.analyzers.select import Attribute, Scope, Select
from headwater.analyzers.zetasql.flow import flow
from headwater.analyzers.zetasql.scan import below, derived, reads
from headwater.analyzers.zetasql.tree import Node

_QUERIES = frozenset({"ProjectScan", "FilterScan", "AggregateScan", "AnalyticScan", "OrderByScan", "LimitOffsetScan"})
"""Scans that, below a join, are queries, written or steps of a pipe."""


@reads("JoinScan")
def join(select: Select, node: Node) -> list[Attribute]:
    """Two sides and a condition."""
    left = side(select, node.node("left_scan"))
    if node.fields.get("is_lateral"):
        right = derived(select, node.node("right_scan"), outer=Scope(select, left))
    else:
        right = side(select, node.node("right_scan"))
    compare(select, node.optional("join_expr"), left, right, select.result.rows)
    return left + right


def side(select: Select, node: Node) -> list[Attribute]:
    """A FROM item; the columns that USING merges are made above a join, in the same FROM."""
    merges = node.name == "ProjectScan" and node.node("input_scan").name == "JoinScan" and not node.written
    return select.read(node) if merges else below(select, node, _QUERIES)


def compare(select: Select, condition: Node | None, left: list[Attribute], right: list[Attribute], rows: int) -> None:
    """Let a join condition decide over a row set, and relate the two sides."""
    if condition is not None:
        compared(Scope(select, left + right), flow, _comparisons(condition), left, right, rows)


def _comparisons(node: Node) -> list[Node]:
    """The operands of ANDs and ORs."""
    found, stack = [], [node]
    while stack:
        current = stack.pop()
        if current.name == "FunctionCall" and current.function in ("$and", "$or"):
            stack.extend(reversed(current.arguments))
        else:
            found.append(current)
    return found
