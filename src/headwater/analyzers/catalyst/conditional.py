"""CASE, IF, NULLIF and what Spark makes of them: what is tested decides, what is chosen flows."""

from __future__ import annotations

from headwater.analyzers.catalyst.flow import call_node, flow, handles
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Scope
from headwater.model.kind import CASE_WHEN, TRANSFORMATION


@handles("CaseWhen")
def case(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`CASE WHEN c THEN a … ELSE b END`: the children are tests and values in turn, ELSE last."""
    value = call_node(scope, node, target, kind)
    for i, child in enumerate(node.children):
        tests = i % 2 == 0 and i + 1 < len(node.children)
        flow(scope, child, value, CASE_WHEN if tests else TRANSFORMATION)


@handles("If")
def if_(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`IF(c, a, b)`, and NVL2."""
    value = call_node(scope, node, target, kind)
    flow(scope, node.children[0], value, CASE_WHEN)
    for child in node.children[1:]:
        flow(scope, child, value, TRANSFORMATION)


@handles("NullIf", "NullIfZero")
def nullif(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`NULLIF(a, b)`, which Spark writes as a test `a = b` and a value a: a flows, b is compared."""
    value = call_node(scope, node, target, kind)
    written = node.children[0]
    test, chosen = written.children[0], written.children[-1]
    flow(scope, chosen, value, TRANSFORMATION)
    flow(scope, test.children[-1], value, CASE_WHEN)
