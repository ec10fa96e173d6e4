"""GROUP BY, GROUPING SETS, aggregate functions; DISTINCT, which GoogleSQL writes as a GROUP BY."""

from __future__ import annotations

from headwater.analyzers.select import Attribute, Scope, Select
from headwater.analyzers.zetasql.flow import argument_kind, call_node, flow, varies
from headwater.analyzers.zetasql.nested import remember_collected
from headwater.analyzers.zetasql.project import computed
from headwater.analyzers.zetasql.scan import below, reads
from headwater.analyzers.zetasql.tree import Node
from headwater.model.kind import AGGREGATE_FILTER, AGGREGATION, DISTINCT, GROUP_BY, IDENTITY, WINDOW

_DISTINCT = frozenset({"$distinct", "$pipe_distinct"})
_BEFORE = frozenset({"AggregateScan", "AnalyticScan", "LimitOffsetScan"})
"""Scans that belong to a query before this aggregation."""
_STEPS = _BEFORE | {"FilterScan", "ProjectScan"}
"""The same in a pipe, where a filter is a step before."""


@reads("AggregateScan")
def aggregate(select: Select, node: Node) -> list[Attribute]:
    """The keys decide over the rows and, at the end, over each aggregate."""
    if _is_distinct(node):
        return _distinct(select, node)
    inputs = below(select, node.node("input_scan"), _STEPS if select.reader.piped else _BEFORE)
    scope = Scope(select, inputs)
    builder, rows = select.builder, select.result.rows
    before = len(builder.edges)
    groups = node.nodes("group_by_list")
    for each in groups:
        flow(scope, each.node("expr"), rows, GROUP_BY)
    select.keys += [(source, kind) for target, source, kind, _ in builder.edges[before:] if target == rows]
    select.grouped = bool(groups) or bool(node.nodes("grouping_set_list"))
    select.aggregated = True
    keys = _keys(scope, groups)
    made = [aggregated_column(scope, each) for each in node.nodes("aggregate_list")]
    return keys + made + [_grouping(select, each, keys) for each in node.nodes("grouping_call_list")]


def _keys(scope: Scope, groups: list[Node]) -> list[Attribute]:
    """The columns of GROUP BY: passed on, or computed."""
    keys = []
    for each in groups:
        column, expression = each.column(), each.node("expr")
        if expression.name == "ColumnRef":
            keys.append(Attribute(column.id, column.name, scope.find(expression.column().id)))
        else:
            keys += computed(scope, [each])
    return keys


def _grouping(select: Select, node: Node, keys: list[Attribute]) -> Attribute:
    """`GROUPING(a)`: that key decides over it."""
    column = node.column("output_column")
    own = select.column(column.name)
    key = next(k for k in keys if k.id == node.node("group_by_column").column().id)
    select.builder.edge(own, key.column, GROUP_BY, None)
    return Attribute(column.id, column.name, own)


def _is_distinct(node: Node) -> bool:
    groups = node.nodes("group_by_list")
    return bool(groups) and all(each.column().of in _DISTINCT for each in groups)


def _distinct(select: Select, node: Node) -> list[Attribute]:
    """DISTINCT makes the row set depend on every column."""
    scope = Scope(select, below(select, node.node("input_scan"), frozenset({"LimitOffsetScan"})))
    outputs = _keys(scope, node.nodes("group_by_list"))
    for each in outputs:
        select.builder.edge(select.result.rows, each.column, DISTINCT, None)
    return outputs


def aggregated_column(scope: Scope, node: Node) -> Attribute:
    """The column of an aggregate of a GROUP BY."""
    column, call = node.column(), node.node("expr")
    own = scope.select.column(column.name)
    scope.select.aggregates.append(aggregated(scope, call, own, IDENTITY))
    remember_collected(scope, call, own)
    return Attribute(column.id, column.name, own)


def aggregated(scope: Scope, call: Node, target: int, kind: int) -> int:
    """An aggregate's value: its arguments, what it filters and orders by.

    One of constants looks at rows, not at columns: `count(*)`, `count(1)`, `sum(2 * 3)`.
    """
    value = call_node(scope, call.function, target, kind)
    for order in call.nodes("order_by_item_list"):
        flow(scope, order.node("column_ref"), value, WINDOW)
    modifier = call.optional("having_modifier")
    if modifier is not None:
        flow(scope, modifier.node("having_expr"), value, AGGREGATE_FILTER)
    if call.optional("where_expr") is not None:
        flow(scope, call.node("where_expr"), value, AGGREGATE_FILTER)
    if not any(varies(scope, argument) for argument in call.arguments):
        scope.select.counts.append(value)
        return value
    for argument in call.arguments:
        flow(scope, argument, value, argument_kind(call, AGGREGATION))
    return value
