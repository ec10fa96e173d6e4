"""UNION, EXCEPT, INTERSECT: by position or BY NAME, in any nesting.

Runs of the same operator on the left spine are one result set with many branches, so that thousands of branches neither nest
nor multiply.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import DISTINCT, FROM_ROWS, IDENTITY, SET_OPERATION
from headwater.resolve.builder import Builder
from headwater.resolve.cte import with_ctes
from headwater.resolve.order import order_and_limit
from headwater.resolve.query import query, query_form
from headwater.resolve.scope import Environment, ResultSet, Scope


@query_form(exp.Union, exp.Except, exp.Intersect)
def set_operation(
    builder: Builder, node: Any, parent: Scope | None, environment: Environment, type: str
) -> ResultSet:
    """The result set of a chain of set operations, from the innermost left operand outwards."""
    spine = [node]
    while _continues(spine[-1].this):
        spine.append(spine[-1].this)
    result: ResultSet | None = None
    for run in _runs(spine[::-1]):
        for operation in run:
            environment = with_ctes(builder, operation, parent, environment)
        left = result or query(builder, run[0].this, parent, environment)
        branches = [left] + [query(builder, o.expression, parent, environment) for o in run]
        result = _combined(builder, run[-1], branches)
        order_and_limit(Scope(builder, parent, environment), run[-1], result)
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


def branches_of(node: Any) -> list[Any]:
    """The operands of a set operation, its left spine flattened."""
    branches: list[Any] = []
    while isinstance(node, exp.SetOperation):
        branches.append(node.expression)
        node = node.this
    return [node, *branches[::-1]]


def _combined(builder: Builder, node: Any, branches: list[ResultSet]) -> ResultSet:
    result = open_union(builder, node, branches[0])
    by_name = bool(node.args.get("by_name"))
    if isinstance(node, exp.Union):
        for branch in branches[1:]:
            branch_into(builder, result, branch, by_name)
        if by_name:
            _keep_columns(result, branches, str(node.args.get("kind") or "").upper(), str(node.args.get("side") or "").upper())
    close(builder, node, result, branches)
    return result


def open_union(builder: Builder, node: Any, first: ResultSet) -> ResultSet:
    """A result set with the outputs of the first operand."""
    result = ResultSet(builder, "union", node)
    result.is_union = True
    for name, source in first.outputs:
        if name == "*" and first.open:
            output = result.add_open_star(first, node)
        else:
            output = result.add(name, node)
        builder.edges.append((output, source, IDENTITY, None))
        builder.unions[output] = (source,)
    return result


def branch_into(builder: Builder, result: ResultSet, branch: ResultSet, by_name: bool) -> None:
    """Let a further operand flow into a union's outputs."""
    if by_name:
        _by_name(builder, result, branch)
        return
    if len(branch.outputs) != len(result.outputs) and not branch.open and not result.open:
        builder.say(
            Code.SCHEMA_MISMATCH,
            f"the branches of a set operation have {len(result.outputs)} and {len(branch.outputs)} columns",
            None,
        )
    for (_, output), (name, source) in zip(result.outputs, branch.outputs, strict=False):
        builder.edges.append((output, source, IDENTITY, None))
        builder.unions[output] = (*builder.unions.get(output, ()), source)
        if name == "*" and branch.open and result.open:
            result.stars.append(branch)


def _by_name(builder: Builder, result: ResultSet, branch: ResultSet) -> None:
    for name, source in branch.outputs:
        output = result.columns.get(name)
        if output is None:
            output = result.add(name, builder.columns[source][2])
        builder.edges.append((output, source, IDENTITY, None))
        builder.unions[output] = (*builder.unions.get(output, ()), source)


def _keep_columns(result: ResultSet, branches: list[ResultSet], kind: str, side: str) -> None:
    """INNER keeps the columns that all branches have, LEFT those of the first; otherwise all stay."""
    if kind == "INNER":
        names = set.intersection(*({name for name, _ in b.outputs} for b in branches))
    elif side == "LEFT":
        names = {name for name, _ in branches[0].outputs}
    else:
        return
    result.outputs = [(name, column) for name, column in result.outputs if name in names]
    result.columns = dict(result.outputs)


def close(builder: Builder, node: Any, result: ResultSet, branches: list[ResultSet]) -> None:
    """What decides over the rows of a set operation: all its branches' rows, and the columns that are compared."""
    edges = builder.edges
    for branch in branches:
        edges.append((result.rows, branch.rows, FROM_ROWS, None))
    kind = DISTINCT if isinstance(node, exp.Union) else SET_OPERATION
    if kind == SET_OPERATION or node.args.get("distinct"):
        for branch in branches:
            for _, column in branch.outputs:
                edges.append((result.rows, column, kind, None))
    result.complete()
