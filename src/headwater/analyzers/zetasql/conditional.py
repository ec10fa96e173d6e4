"""CASE, IF, NULLIF: what is tested decides, what is chosen flows."""

from __future__ import annotations

from headwater.analyzers.select import Scope
from headwater.analyzers.zetasql.flow import call_node, calls, flow
from headwater.analyzers.zetasql.tree import Node
from headwater.model.kind import CASE_WHEN, TRANSFORMATION


def choices(node: Node) -> list[tuple[Node, int]]:
    """What is tested and what is chosen, each with how it flows; nothing if the call makes no choice."""
    if node.function in ("$case_no_value", "if"):
        return _alternating(node.arguments)
    if node.function == "$case_with_value":
        return [(node.arguments[0], CASE_WHEN), *_alternating(node.arguments[1:])]
    if node.function == "nullif":
        return [(node.arguments[0], TRANSFORMATION), (node.arguments[1], CASE_WHEN)]
    return [(each, TRANSFORMATION) for each in node.arguments] if node.function in ("coalesce", "ifnull") else []


def _alternating(given: list[Node]) -> list[tuple[Node, int]]:
    """Tests and values in turn; the value for all other cases stands at the end."""
    tested = [i % 2 == 0 and i + 1 < len(given) for i in range(len(given))]
    return [(each, CASE_WHEN if tests else TRANSFORMATION) for each, tests in zip(given, tested, strict=True)]


@calls("$case_no_value", "$case_with_value", "if", "nullif")
def choice(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`CASE WHEN c THEN a ELSE b END`, `CASE x WHEN y THEN a END`, `IF(c, a, b)`, `NULLIF(a, b)`."""
    value = call_node(scope, node.function, target, kind)
    for each, how in choices(node):
        flow(scope, each, value, how)
