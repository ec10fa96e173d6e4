"""ORDER BY, LIMIT, OFFSET: an order matters to lineage only where it decides which rows stay."""

from __future__ import annotations

from headwater.analyzers.catalyst.flow import flow
from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Attribute, Scope, Select
from headwater.model.kind import LIMIT, ORDER_BY


@reads("GlobalLimit", "Offset", "Tail")
def limit(select: Select, node: Node) -> list[Attribute]:
    """LIMIT and OFFSET; what they count by may be more than a number."""
    select.limited = True
    inputs = select.read(node.children[0])
    count = node.tree("limitExpr") or node.tree("offsetExpr")
    if count is not None:
        flow(Scope(select, inputs), count, select.result.rows, LIMIT)
    return inputs


@reads("Sort")
def sort(select: Select, node: Node) -> list[Attribute]:
    """ORDER BY, SORT BY."""
    inputs = select.read(node.children[0])
    if select.limited:
        for key in node.trees("order"):
            flow(Scope(select, inputs), key, select.result.rows, ORDER_BY)
    return inputs
