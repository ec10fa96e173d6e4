"""Queries: SELECT, set operations, VALUES, TABLE t, parentheses; with their WITH, ORDER BY and LIMIT.

`query` takes any query node and gives its result set. Each form registers itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.model.diagnostic import Code
from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment, ResultSet, Scope

QueryHandler = Callable[[Builder, Any, "Scope | None", Environment, str], ResultSet]
"""Builder, node, enclosing scope, CTEs in reach, type of the result set."""

_HANDLERS: dict[type, QueryHandler] = {}


def query_form(*classes: type) -> Callable[[QueryHandler], QueryHandler]:
    """Register the resolver of a query form."""

    def register(handler: QueryHandler) -> QueryHandler:
        for cls in classes:
            _HANDLERS[cls] = handler
        return handler

    return register


def query(
    builder: Builder, node: Any, parent: Scope | None, environment: Environment, type: str = "select_list"
) -> ResultSet:
    """The result set of a query."""
    handler = _HANDLERS.get(node.__class__)
    if handler is None:
        return _not_understood(builder, node)
    return handler(builder, node, parent, environment, type)


def is_query(node: Any) -> bool:
    """Whether a node is a query in some form."""
    return node.__class__ in _HANDLERS


def _not_understood(builder: Builder, node: Any) -> ResultSet:
    builder.say(Code.UNSUPPORTED_CONSTRUCT, f"{node.key} is not understood as a query", node, node.key)
    result = ResultSet(builder, "select_list", node)
    result.open = True
    return result.complete()
