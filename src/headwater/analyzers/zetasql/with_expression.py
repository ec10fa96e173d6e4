"""Expressions with named parts: WITH(x AS …, …), and calls of functions that are looked into, whose arguments have names."""

from __future__ import annotations

from headwater.analyzers.select import Scope
from headwater.analyzers.zetasql.flow import flow, handles
from headwater.analyzers.zetasql.nested import value_of
from headwater.analyzers.zetasql.tree import Node


@handles("WithExpr")
def with_expression(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`WITH(x AS a + 1, x * b)`: a part that is not used does not flow."""
    inner = Scope(scope.select, ())
    inner.columns = dict(scope.columns)
    inner.outer = scope.outer
    for each in node.nodes("assignment_list"):
        inner.columns[each.column().id] = value_of(inner, each.node("expr"))
    flow(inner, node.node("expr"), target, kind)
