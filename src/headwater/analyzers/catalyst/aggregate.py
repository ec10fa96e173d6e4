"""GROUP BY and aggregate functions; GROUPING SETS, which Spark writes as an Expand below."""

from __future__ import annotations

from headwater.analyzers.catalyst.alias import named
from headwater.analyzers.catalyst.flow import argument_kind, call_node, flow, function, handles, is_constant
from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.pivot import is_pivot, pivot
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.relation import derived
from headwater.analyzers.catalyst.time_window import is_sliding, sliding_window
from headwater.analyzers.catalyst.unpivot import is_unpivot, unpivoted_rows
from headwater.analyzers.select import Attribute, Scope, Select
from headwater.model.kind import AGGREGATE_FILTER, AGGREGATION, GROUP_BY, WINDOW

GROUPING_ID = "spark_grouping_id"
_GROUPING_POSITION = "_gen_grouping_pos"
"""What Spark adds to the keys where one of the GROUPING SETS is there twice."""
_ORDERED = frozenset({"PercentileCont", "PercentileDisc"})
"""Aggregates that know no other argument than what WITHIN GROUP orders by."""
_NEW_SELECT = frozenset({"Aggregate", "Distinct", "GlobalLimit", "Window"})
"""Operators that belong to a step before this aggregation: only pipes put one upon the other."""


@reads("Aggregate")
def aggregate(select: Select, node: Node) -> list[Attribute]:
    """The keys decide over the rows and, at the end, over each aggregate."""
    select.projected = True
    if is_pivot(node):
        return pivot(select, node)
    child = node.children[0]
    inputs = derived(select, child) if child.name in _NEW_SELECT else select.read(child)
    scope = Scope(select, inputs)
    builder, rows = select.builder, select.result.rows
    before = len(builder.edges)
    keys = [key for key in node.trees("groupingExpressions") if _is_key(key)]
    for key in keys:
        flow(scope, key, rows, GROUP_BY)
    select.keys += [(source, kind) for target, source, kind, _ in builder.edges[before:] if target == rows]
    select.grouped = bool(node.trees("groupingExpressions"))
    select.aggregated = True
    select.aggregated_items = list(select.items)
    _remember_keys(scope, keys)
    return [named(scope, each) for each in node.trees("aggregateExpressions")]


def _is_grouping_id(node: Node) -> bool:
    return node.name == "AttributeReference" and node.label == GROUPING_ID


def _is_key(node: Node) -> bool:
    return node.name != "AttributeReference" or node.label not in (GROUPING_ID, _GROUPING_POSITION)


def _remember_keys(scope: Scope, keys: list[Node]) -> None:
    """The keys decide over GROUPING SETS' own number."""
    number = scope.select.grouping_id
    if number is not None:
        for key in keys:
            flow(scope, key, number, GROUP_BY)
        scope.select.grouping_keys = keys


@reads("Expand")
def expand(select: Select, node: Node) -> list[Attribute]:
    """GROUPING SETS: every row once for each set, the keys that are not in the set empty; and a number for the set."""
    if is_sliding(node):
        return sliding_window(select, node)
    if is_unpivot(node):
        return unpivoted_rows(select, node, excludes_nulls=False)
    inputs = select.read(node.children[0])
    outputs = []
    for i, each in enumerate(node.trees("output")):
        if i < len(inputs):
            outputs.append(Attribute(each.id, each.label, inputs[i].column))
            continue
        column = select.builder.function(None)
        if each.label == GROUPING_ID:
            select.grouping_id = column
        outputs.append(Attribute(each.id, each.label, column))
    return outputs


@handles("ShiftRight")
def grouping(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`grouping(a)`, which Spark writes as a bit of the number of GROUPING SETS: that key decides over it."""
    number, distance = node.children
    keys = scope.select.grouping_keys
    if keys and _is_grouping_id(number) and distance.name == "Literal":
        flow(scope, keys[len(keys) - 1 - int(distance.fields["value"])], target, GROUP_BY)
    else:
        function(scope, node, target, kind)


@handles("AggregateExpression")
def aggregate_expression(scope: Scope, node: Node, target: int, kind: int) -> None:
    """An aggregate of a GROUP BY."""
    value = aggregated(scope, node, target, kind)
    scope.select.aggregates.append(value)


def aggregated(scope: Scope, node: Node, target: int, kind: int) -> int:
    """An aggregate's value: its arguments, what FILTER tests, what it orders by.

    One of constants looks at rows, not at columns: `count(*)`, `count(1)`, `sum(1)`, `sum(2 * 3)`.
    """
    call = node.children[0]
    value = call_node(scope, call, target, kind)
    for condition in node.children[1:]:
        flow(scope, condition, value, AGGREGATE_FILTER)
    if is_constant(scope, call):
        scope.select.counts.append(value)
        return value
    for i, argument in enumerate(call.children):
        ordered = argument.name == "SortOrder" or (i == 0 and _orders_first(call))
        flow(scope, argument, value, WINDOW if ordered else argument_kind(call, AGGREGATION))
    return value


def _orders_first(call: Node) -> bool:
    """Whether an aggregate's first argument is what WITHIN GROUP orders by; `mode` takes it in brackets, too."""
    return call.name in _ORDERED or (call.name == "Mode" and call.fields.get("reverseOpt") is not None)
