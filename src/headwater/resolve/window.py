"""Window functions: inline, named and inherited windows."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import AGGREGATE_ROWS, WINDOW
from headwater.resolve.flow import flow, handles
from headwater.resolve.function import call
from headwater.resolve.scope import Scope
from headwater.resolve.window_order import arrange


@handles(exp.Window)
def window(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`f(x) OVER (PARTITION BY p ORDER BY o)`, `f(x) OVER w`: x is f's argument, p and o only arrange the rows."""
    if node.args.get("over") == "KEEP":
        keep(scope, node, target, kind)
        return
    inner = node.this
    if inner.__class__ is exp.Window:
        value = call(scope, inner.this, target, kind, windowed=True)
        arrange(scope, inner, value, set())
    else:
        value = call(scope, inner, target, kind, windowed=True)
    told = arrange(scope, node, value, set())
    if not told and value not in scope.counts and node.find(exp.Column) is None:
        for item in scope.items:
            scope.edges.append((value, item.owner.rows, AGGREGATE_ROWS, None))


def keep(scope: Scope, node: Any, target: int, kind: int) -> None:
    """Oracle's `max(x) KEEP (DENSE_RANK LAST ORDER BY o)`: an aggregate over the rows that come last by o, no window."""
    value = call(scope, node.this, target, kind)
    if node.args.get("order") is not None:
        flow(scope, node.args["order"], value, WINDOW)
