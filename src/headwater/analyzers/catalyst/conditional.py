"""CASE, IF, NULLIF and what Spark makes of them: what is tested decides, what is chosen flows."""

from __future__ import annotations

from headwater.analyzers.catalyst.flow import call_node, flow, handles
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Scope
from headwater.model.kind import CASE_WHEN, PIVOT_FOR, TRANSFORMATION


def choices(node: Node) -> list[tuple[Node, int]]:
    """The children of CASE and IF, each with how it flows: tests and values in turn, the value for all other cases last."""
    tested = [i % 2 == 0 and i + 1 < len(node.children) for i in range(len(node.children))]
    return [(each, CASE_WHEN if tests else TRANSFORMATION) for each, tests in zip(node.children, tested, strict=True)]


@handles("CaseWhen", "If")
def choice(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`CASE WHEN c THEN a … ELSE b END`; `IF(c, a, b)`, and NVL2; a PIVOT of values that Spark cannot keep in arrays."""
    value = call_node(scope, node, target, kind)
    pivots = scope.select.reader.pivots and node.name == "If" and node.children[0].name == "EqualNullSafe"
    for each, how in choices(node):
        flow(scope, each, value, PIVOT_FOR if pivots and how == CASE_WHEN else how)


@handles("NullIf", "NullIfZero")
def nullif(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`NULLIF(a, b)`, which Spark writes as a test `a = b` and a value a: a flows, b is compared."""
    value = call_node(scope, node, target, kind)
    written = node.children[0]
    test, chosen = written.children[0], written.children[-1]
    flow(scope, chosen, value, TRANSFORMATION)
    flow(scope, test.children[-1], value, CASE_WHEN)
