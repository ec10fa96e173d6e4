"""PIVOT, which Spark writes as two aggregations: by the grouping and the FOR column first, then `PivotFirst` by the grouping alone."""

from __future__ import annotations

from headwater.analyzers.catalyst.alias import named
from headwater.analyzers.catalyst.flow import argument_kind, flow
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Attribute, Scope, Select
from headwater.model.kind import AGGREGATION, GROUP_BY, PIVOT_FOR


def is_pivot(node: Node) -> bool:
    """Whether an aggregation is the outer one of a PIVOT."""
    return any(_first(each) is not None for each in node.trees("aggregateExpressions"))


def _first(node: Node) -> Node | None:
    """The PivotFirst inside an output."""
    while node.children:
        if node.name == "PivotFirst":
            return node
        node = node.children[0]
    return None


def pivot(select: Select, node: Node) -> list[Attribute]:
    """The grouping columns are passed on and decide over the rows; each aggregate takes its argument and the FOR column."""
    inner = node.children[0]
    source = select.read(inner.children[0])
    scope = Scope(select, source)
    rows = select.result.rows
    aggregates = {each.id: each for each in inner.trees("aggregateExpressions") if each.name == "Alias"}
    keys = node.trees("groupingExpressions")
    for key in keys:
        flow(scope, key, rows, GROUP_BY)
    outputs = []
    for each in node.trees("aggregateExpressions"):
        first = _first(each)
        if first is None:
            outputs.append(named(scope, each))
            continue
        made = aggregates[first.children[1].id]
        column = named(scope, made).column
        value = select.aggregates.pop()
        _counts(scope, made, value, source)
        chosen = first.children[0]
        computed = aggregates.get(chosen.id) if chosen.name == "AttributeReference" else None
        flow(scope, computed or chosen, value, PIVOT_FOR)
        for key in keys:
            flow(scope, key, value, GROUP_BY)
        outputs.append(Attribute(each.id, each.label, column))
    select.reader.pivoted.update(a.id for a in outputs)
    return outputs


def _counts(scope: Scope, made: Node, value: int, source: list[Attribute]) -> None:
    """`count(*)` counts whole rows: every column of the source is its argument."""
    if value not in scope.select.counts:
        return
    while made.name != "AggregateExpression":
        made = made.children[0]
    for each in source:
        scope.edges.append((value, each.column, argument_kind(made.children[0], AGGREGATION), None))
