"""CASE, IF, NULLIF: what is tested decides, what is chosen flows."""

from __future__ import annotations

from headwater.analyzers.select import Scope
from headwater.analyzers.zetasql.flow import call_node, calls, flow
from headwater.analyzers.zetasql.tree import Node
from headwater.model.kind import CASE_WHEN, TRANSFORMATION


@calls("$case_no_value")
def case(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`CASE WHEN c THEN a … ELSE b END`: tests and values in turn, ELSE last."""
    _chosen(scope, node, target, kind, node.arguments)


@calls("$case_with_value")
def case_of(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`CASE x WHEN y THEN a … END`: x is a test, too."""
    subject, *rest = node.arguments
    flow(scope, subject, _chosen(scope, node, target, kind, rest), CASE_WHEN)


def _chosen(scope: Scope, node: Node, target: int, kind: int, arguments: list[Node]) -> int:
    value = call_node(scope, node.function, target, kind)
    for i, each in enumerate(arguments):
        tests = i % 2 == 0 and i + 1 < len(arguments)
        flow(scope, each, value, CASE_WHEN if tests else TRANSFORMATION)
    return value


@calls("if")
def if_(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`IF(c, a, b)`."""
    _chosen(scope, node, target, kind, node.arguments)


@calls("nullif")
def nullif(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`NULLIF(a, b)`: a flows, b is compared."""
    value = call_node(scope, node.function, target, kind)
    first, second = node.arguments
    flow(scope, first, value, TRANSFORMATION)
    flow(scope, second, value, CASE_WHEN)
