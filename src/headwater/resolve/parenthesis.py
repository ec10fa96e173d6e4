"""A query in parentheses, with the WITH, ORDER BY and LIMIT that stand outside of them."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.builder import Builder
from headwater.resolve.cte import with_ctes
from headwater.resolve.order import order_and_limit
from headwater.resolve.query import query, query_form
from headwater.resolve.scope import Environment, ResultSet, Scope


@query_form(exp.Subquery, exp.Paren)
def parenthesised(builder: Builder, node: Any, parent: Scope | None, environment: Environment, type: str) -> ResultSet:
    """`(SELECT …) ORDER BY … LIMIT …`: the inner query, with what the outer parenthesis adds."""
    environment = with_ctes(builder, node, parent, environment)
    result = query(builder, node.this, parent, environment, type)
    outer = Scope(builder, parent, environment, result.rows)
    outer.add(None, result)
    order_and_limit(outer, node, result)
    return result
