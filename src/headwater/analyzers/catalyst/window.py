"""Window functions."""

from __future__ import annotations

from headwater.analyzers.catalyst.aggregate import aggregated
from headwater.analyzers.catalyst.alias import named
from headwater.analyzers.catalyst.flow import argument_kind, call_node, flow, handles, leaves
from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Attribute, Scope, Select, Unread
from headwater.model.kind import AGGREGATE_ROWS, TRANSFORMATION, WINDOW

_RANKS = frozenset({"Rank", "DenseRank", "PercentRank"})
"""Functions whose arguments are, in a plan, what the window orders by."""
_VALUES = frozenset({"First", "Last", "NthValue"})
"""Aggregates that, in a window, hand on the value of some row."""


@reads("Window")
def window(select: Select, node: Node) -> list[Attribute]:
    """The columns below, and one for each window function."""
    inputs = select.read(node.children[0])
    scope = Scope(select, inputs)
    made = [named(scope, each) for each in node.trees("windowExpressions")]
    select.windowed = True
    return inputs + made


@reads("AttachDistributedSequence")
def numbered(select: Select, node: Node) -> list[Attribute]:
    """The columns below, and the numbers that pandas on Spark gives to their rows."""
    inputs = select.read(node.children[0])
    made = node.tree("sequenceAttr")
    if made is None:
        raise Unread("an operator that numbers rows")
    column = select.column(made.label)
    for rows in select.items:
        select.builder.edge(column, rows, AGGREGATE_ROWS, None)
    return [Attribute(made.id, made.label, column), *inputs]


@handles("WindowExpression")
def window_expression(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`f(x) OVER (PARTITION BY p ORDER BY o)`: x is f's argument, p and o only arrange the rows."""
    call, specification = node.children
    value = _call(scope, call, target, kind)
    for each in specification.children:
        if each.name != "SpecifiedWindowFrame":
            flow(scope, each, value, WINDOW)
    if value not in scope.select.counts and not any(map(_is_column, leaves(node))):
        for rows in scope.select.items:
            scope.edges.append((value, rows, AGGREGATE_ROWS, None))


def _is_column(node: Node) -> bool:
    return node.name in ("AttributeReference", "OuterReference")


def _call(scope: Scope, call: Node, target: int, kind: int) -> int:
    if call.name == "AggregateExpression" and call.children[0].name not in _VALUES:
        return aggregated(scope, call, target, kind)
    function = call.children[0] if call.name == "AggregateExpression" else call
    value = call_node(scope, function, target, kind)
    for argument in () if function.name in _RANKS else function.children:
        flow(scope, argument, value, argument_kind(function, TRANSFORMATION))
    return value
