"""Queries: SELECT, set operations, VALUES, TABLE t, parentheses; with their WITH, ORDER BY and LIMIT.

`query` takes any query node and gives its result set. Each form registers itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.resolve.builder import Builder
from headwater.resolve.registry import Registry
from headwater.resolve.scope import Environment, ResultSet, Scope

QueryHandler = Callable[[Builder, Any, "Scope | None", Environment, str], ResultSet]
"""Builder, node, enclosing scope, CTEs in reach, type of the result set."""

query_form = Registry[QueryHandler]()
"""Registers the resolver of a query form."""


def query(
    builder: Builder, node: Any, parent: Scope | None, environment: Environment, type: str = "select_list"
) -> ResultSet:
    """The result set of a query."""
    handler = query_form.of(node)
    if handler is None:
        return _not_understood(builder, node)
    return handler(builder, node, parent, environment, type)


def inner_query(scope: Scope, node: Any) -> ResultSet:
    """The result set of a subquery in an expression: one, however often the expression flows."""
    while isinstance(node, (exp.Subquery, exp.Paren)) and not node.args.get("with_") and not node.args.get("limit"):
        node = node.this
    if scope.inner is None:
        scope.inner = {}
    found = scope.inner.get(id(node))
    if found is None:
        found = scope.inner[id(node)] = node, query(scope.builder, node, scope, scope.environment)
    return found[1]


def is_query(node: Any) -> bool:
    """Whether a node is a query in some form; an expression in brackets is none."""
    while node.__class__ is exp.Paren:
        node = node.this
    return query_form.of(node) is not None


def _not_understood(builder: Builder, node: Any) -> ResultSet:
    place = node if isinstance(node, exp.Expr) else None
    what = node.key if place is not None else "what stands here"
    builder.say(Code.UNSUPPORTED_CONSTRUCT, f"{what} is not understood as a query", place, what)
    result = ResultSet(builder, "select_list", place)
    result.open = True
    return result.complete()
