"""UNION, EXCEPT, INTERSECT: by position or BY NAME, in any nesting.

Runs of the same operator on the left spine are one result set with many branches, so that thousands of branches neither nest
nor multiply.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.builder import Builder
from headwater.resolve.cte import with_ctes
from headwater.resolve.order import order_and_limit
from headwater.resolve.query import query, query_form
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.union import branch_into, close, keep_columns, open_union


@query_form(exp.Union, exp.Except, exp.Intersect)
def set_operation(builder: Builder, node: Any, parent: Scope | None, environment: Environment, type: str) -> ResultSet:
    """The result set of a chain of set operations, from the innermost left operand outwards."""
    spine = [node]
    while _continues(spine[-1].this):
        spine.append(spine[-1].this)
    environment = with_ctes(builder, node, parent, environment)
    result: ResultSet | None = None
    for run in _runs(spine[::-1]):
        left = result or query(builder, run[0].this, parent, environment)
        branches = [left] + [query(builder, o.expression, parent, environment) for o in run]
        result = _combined(builder, run[-1], branches)
        outer = Scope(builder, parent, environment, result.rows)
        outer.add(None, result)
        order_and_limit(outer, run[-1], result)
    assert result is not None
    result.row.type = type if type != "select_list" else "union"
    return result


def _continues(node: Any) -> bool:
    """Whether a left operand is a set operation without clauses of its own."""
    return isinstance(node, exp.SetOperation) and not any(
        node.args.get(k) is not None for k in ("with_", "limit", "order", "offset")
    )


def _runs(spine: list[Any]) -> list[list[Any]]:
    """Operations from the inside out, grouped where the same operator repeats."""
    runs: list[list[Any]] = []
    for operation in spine:
        if runs and isinstance(operation, exp.Union) and _same(runs[-1][-1], operation):
            runs[-1].append(operation)
        else:
            runs.append([operation])
    return runs


def _same(one: Any, other: Any) -> bool:
    keys = ("distinct", "by_name", "side", "kind", "on")
    return one.__class__ is other.__class__ and all(one.args.get(k) == other.args.get(k) for k in keys)


def _combined(builder: Builder, node: Any, branches: list[ResultSet]) -> ResultSet:
    by_name = bool(node.args.get("by_name"))
    result = open_union(builder, node, branches[0], by_name)
    if isinstance(node, exp.Union):
        for branch in branches[1:]:
            branch_into(builder, result, branch, by_name)
    if by_name:
        keep_columns(result, branches, node)
    close(builder, node, result, branches)
    return result
