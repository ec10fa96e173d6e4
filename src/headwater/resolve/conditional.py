"""CASE, IF, NULLIF, NVL2, DECODE: what is tested decides, what is chosen flows."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import CASE_WHEN, TRANSFORMATION
from headwater.resolve.flow import flow, handles
from headwater.resolve.function import function
from headwater.resolve.scope import Scope


def _node(scope: Scope, node: Any, target: int, kind: int) -> int:
    value = scope.builder.function(node)
    scope.edges.append((target, value, kind, node))
    return value


@handles(exp.Case)
def case(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`CASE [x] WHEN y THEN a … ELSE b END`: x and y are tests, a and b values."""
    value = _node(scope, node, target, kind)
    if node.args.get("this") is not None:
        flow(scope, node.this, value, CASE_WHEN)
    for branch in node.args["ifs"]:
        flow(scope, branch.this, value, CASE_WHEN)
        flow(scope, branch.args["true"], value, TRANSFORMATION)
    if node.args.get("default") is not None:
        flow(scope, node.args["default"], value, TRANSFORMATION)


@handles(exp.If)
def if_(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`IF(test, a, b)`, IFF, IIF."""
    value = _node(scope, node, target, kind)
    if not _is_rewritten(node):
        flow(scope, node.this, value, CASE_WHEN)
    for key in ("true", "false"):
        if isinstance(node.args.get(key), exp.Expr):
            flow(scope, node.args[key], value, TRANSFORMATION)


def _is_rewritten(node: Any) -> bool:
    """ZEROIFNULL and its kin reach us as `IF(x IS NULL, 0, x)` with one and the same x: nobody wrote a test."""
    test = node.this
    return isinstance(test, exp.Is) and test.this is node.args.get("false")


@handles(exp.Nullif)
def nullif(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`NULLIF(a, b)`: a flows, b is compared."""
    value = _node(scope, node, target, kind)
    flow(scope, node.this, value, TRANSFORMATION)
    flow(scope, node.expression, value, CASE_WHEN)


@handles(exp.Nvl2)
def nvl2(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`NVL2(test, a, b)`."""
    if_(scope, node, target, kind)


@handles(exp.DecodeCase)
def decode(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`DECODE(x, y1, a1, y2, a2, …, default)`: x and every y are tests."""
    value = _node(scope, node, target, kind)
    subject, *rest = node.expressions
    flow(scope, subject, value, CASE_WHEN)
    for i, each in enumerate(rest):
        searched = i % 2 == 0 and i + 1 < len(rest)
        flow(scope, each, value, CASE_WHEN if searched else TRANSFORMATION)


@handles(exp.Anonymous)
def by_name(scope: Scope, node: Any, target: int, kind: int) -> None:
    """ClickHouse's `multiIf(test, a, test, b, c)`; every other unknown name is an ordinary call."""
    if str(node.this).lower() != "multiif":
        function(scope, node, target, kind)
        return
    value = _node(scope, node, target, kind)
    for i, each in enumerate(node.expressions):
        tests = i % 2 == 0 and i + 1 < len(node.expressions)
        flow(scope, each, value, CASE_WHEN if tests else TRANSFORMATION)
