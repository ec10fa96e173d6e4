"""Window functions."""

from __future__ import annotations

from headwater.analyzers.handed_on import HandedOn
from headwater.analyzers.select import Attribute, Scope, Select
from headwater.analyzers.zetasql.aggregate import aggregated
from headwater.analyzers.zetasql.flow import argument_kind, call_node, flow, varies
from headwater.analyzers.zetasql.nested import value_of
from headwater.analyzers.zetasql.scan import below, reads
from headwater.analyzers.zetasql.tree import Node
from headwater.model.kind import AGGREGATE_ROWS, AGGREGATION, IDENTITY, TRANSFORMATION, WINDOW

_NO_AGGREGATES = frozenset(
    {"lag", "lead", "first_value", "last_value", "nth_value", "row_number", "rank", "dense_rank"}
    | {"percent_rank", "cume_dist", "ntile", "is_first", "is_last"}
)
"""Functions that hand on a value of some row, or its position."""
_HANDING_ON = frozenset({"first_value", "last_value", "nth_value", "lag", "lead", "any_value", "array_agg"})
"""Functions whose value is a value of some row, or all of them."""
_BEFORE = frozenset({"LimitOffsetScan"})


@reads("AnalyticScan")
def window(select: Select, node: Node) -> list[Attribute]:
    """The columns below, and one for each window function."""
    inputs = below(select, node.node("input_scan"), _BEFORE)
    scope = Scope(select, inputs)
    made = [
        _function(scope, group, each)
        for group in node.nodes("function_group_list")
        for each in group.nodes("analytic_function_list")
    ]
    select.windowed = True
    return inputs + made


def _function(scope: Scope, group: Node, item: Node) -> Attribute:
    """`f(x) OVER (PARTITION BY p ORDER BY o)`: x is f's argument, p and o only arrange the rows."""
    column, call = item.column(), item.node("expr")
    own = scope.select.column(column.name)
    value = _call(scope, call, own)
    arrangement = _arrangement(group)
    for each in arrangement:
        flow(scope, each, value, WINDOW)
    if value not in scope.select.counts and not any(varies(scope, each) for each in (call, *arrangement)):
        for rows in scope.select.items:
            scope.edges.append((value, rows, AGGREGATE_ROWS, None))
    _remember(scope, call, arrangement, own)
    return Attribute(column.id, column.name, own)


def _remember(scope: Scope, call: Node, arrangement: list[Node], column: int) -> None:
    """Remember the structs that a window function hands on, for those who ask for their fields."""
    if call.function not in _HANDING_ON or not call.type.struct.fields:
        return
    kind = TRANSFORMATION if call.function in _NO_AGGREGATES else AGGREGATION
    first, *others = call.arguments

    def decide(field: int) -> None:
        for other in others:
            flow(scope, other, field, kind)
        for each in arrangement:
            flow(scope, each, field, WINDOW)

    scope.builder.structs[column] = HandedOn(scope.builder, lambda: [(value_of(scope, first), kind)], decide, [])


def _call(scope: Scope, call: Node, target: int) -> int:
    if call.function not in _NO_AGGREGATES:
        return aggregated(scope, call, target, IDENTITY)
    value = call_node(scope, call.function, target, IDENTITY)
    for argument in call.arguments:
        flow(scope, argument, value, argument_kind(call, TRANSFORMATION))
    return value


def _arrangement(group: Node) -> list[Node]:
    partition, order = group.optional("partition_by"), group.optional("order_by")
    listed = partition.nodes("partition_by_list") if partition is not None else []
    return listed + [each.node("column_ref") for each in (order.nodes("order_by_item_list") if order else ())]
