"""ORDER BY, LIMIT, OFFSET: an order matters to lineage only where it decides which rows stay."""

from __future__ import annotations

from headwater.analyzers.select import Attribute, Scope, Select
from headwater.analyzers.zetasql.flow import flow
from headwater.analyzers.zetasql.scan import below, reads
from headwater.analyzers.zetasql.tree import Node
from headwater.model.kind import LIMIT, ORDER_BY

_BEFORE = frozenset({"LimitOffsetScan"})


@reads("LimitOffsetScan")
def limit(select: Select, node: Node) -> list[Attribute]:
    """LIMIT and OFFSET; what they count by may be more than a number."""
    select.limited = True
    inputs = below(select, node.node("input_scan"), _BEFORE)
    for count in (node.optional("limit"), node.optional("offset")):
        if count is not None:
            flow(Scope(select, inputs), count, select.result.rows, LIMIT)
    return inputs


@reads("OrderByScan")
def order_by(select: Select, node: Node) -> list[Attribute]:
    """ORDER BY."""
    inputs = below(select, node.node("input_scan"), _BEFORE)
    if select.limited:
        for item in node.nodes("order_by_item_list"):
            flow(Scope(select, inputs), item.node("column_ref"), select.result.rows, ORDER_BY)
    return inputs
