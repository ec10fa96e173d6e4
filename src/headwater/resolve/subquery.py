"""Subqueries inside expressions: scalar, EXISTS, IN, ANY, ALL, ARRAY(…)."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import FDR, IDENTITY, KINDS, TRANSFORMATION, WHERE, under_operator
from headwater.resolve.flow import flow, handles
from headwater.resolve.function import call
from headwater.resolve.query import inner_query, is_query, query
from headwater.resolve.scope import ResultSet, Scope


def rows_kind(kind: int) -> int:
    """How a subquery's row set acts where its value acts as *kind*: it filters."""
    return kind if KINDS[kind].type == FDR else WHERE


def _value_and_rows(scope: Scope, result: ResultSet, target: int, kind: int, place: Any) -> None:
    value = under_operator(kind) if result.is_struct else kind
    for _, column in result.outputs:
        scope.edges.append((target, column, value, place))
    scope.edges.append((target, result.rows, rows_kind(kind), place))


@handles(exp.Subquery, exp.Select, exp.Union, exp.Except, exp.Intersect)
def scalar(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`(SELECT max(x) FROM u)`: its value is data, its rows decide whether there is a value."""
    if node.__class__ is exp.Subquery and not is_query(node.this):
        flow(scope, node.this, target, kind)
        return
    _value_and_rows(scope, inner_query(scope, node), target, kind, node)


@handles(exp.Exists)
def exists(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`EXISTS (SELECT …)`: only whether there are rows."""
    if not is_query(node.this):
        flow_array_exists(scope, node, target, kind)
        return
    scope.edges.append((target, inner_query(scope, node.this).rows, rows_kind(kind), node))


def flow_array_exists(scope: Scope, node: Any, target: int, kind: int) -> None:
    """Spark's `exists(array, x -> …)`, a function like any other."""
    value = scope.builder.function(node)
    scope.edges.append((target, value, kind, node))
    for argument in (node.this, node.args.get("expression")):
        if argument is not None:
            flow(scope, argument, value, TRANSFORMATION)


@handles(exp.In)
def in_(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`a IN (SELECT b …)`, `a IN (1, 2)`, `a IN UNNEST(arr)`."""
    kind = under_operator(kind) if kind == IDENTITY else kind
    flow(scope, node.this, target, kind)
    if node.args.get("query") is not None:
        _value_and_rows(scope, inner_query(scope, node.args["query"]), target, kind, node)
    for each in node.expressions:
        flow(scope, each, target, kind)
    if node.args.get("unnest") is not None:
        for each in node.args["unnest"].expressions:
            flow(scope, each, target, kind)
    if isinstance(node.args.get("field"), exp.Expr):
        _in_field(scope, node, target, kind)


def _in_field(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`a IN b` without brackets: an array, or in SQLite and ClickHouse a table of that name."""
    field = node.args["field"]
    if (
        not (scope.dialect.in_table and isinstance(field, exp.Column))
        or scope.dialect.column(field.this) in scope.aliases
    ):
        flow(scope, field, target, kind)
        return
    parts = {"db": field.args["table"].copy()} if field.args.get("table") is not None else {}
    table = exp.Table(this=field.this.copy(), **parts)
    _value_and_rows(scope, query(scope.builder, table, scope, scope.environment), target, kind, node)


@handles(exp.Any, exp.All)
def quantified(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`= ANY (SELECT …)`, `> ALL (SELECT …)`, `= ANY (array)`; Spark's `any(x)` is an aggregate."""
    inner = node.this
    while isinstance(inner, exp.Paren):
        inner = inner.this
    if is_query(inner):
        _value_and_rows(scope, inner_query(scope, inner), target, kind, node)
    elif (
        node.__class__ is exp.Any and scope.dialect.aggregate_any and not isinstance(node.parent, (exp.Like, exp.ILike))
    ):
        call(scope, node, target, kind)
    else:
        flow(scope, inner, target, kind)


@handles(exp.Array)
def array(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`ARRAY(SELECT …)` collects a query's values; `ARRAY[a, b]` takes its elements."""
    value = scope.builder.function(node)
    scope.edges.append((target, value, kind, node))
    for each in node.expressions:
        if is_query(each):
            _value_and_rows(scope, inner_query(scope, each), value, TRANSFORMATION, each)
        else:
            flow(scope, each, value, TRANSFORMATION)
