"""Subqueries inside expressions: scalar, EXISTS, IN."""

from __future__ import annotations

from headwater.analyzers.catalyst.flow import flow, handles
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Attribute, Scope, Unread, query, rows_kind
from headwater.model.kind import IDENTITY, under_operator
from headwater.resolve.scope import ResultSet


def inner(scope: Scope, node: Node) -> tuple[ResultSet, list[Attribute]]:
    """The result set of a subquery expression."""
    plan = node.tree("plan")
    if plan is None:
        raise Unread(f"a {node.name} without a plan")
    return query(scope.select.reader, plan, scope)


@handles("ScalarSubquery", "ListQuery")
def scalar(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`(SELECT max(x) FROM u)`: its value is data, its rows decide whether there is a value."""
    result, outputs = inner(scope, node)
    for each in outputs:
        scope.edges.append((target, each.column, kind, None))
    scope.edges.append((target, result.rows, rows_kind(kind), None))


@handles("Exists")
def exists(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`EXISTS (SELECT …)`: only whether there are rows."""
    scope.edges.append((target, inner(scope, node)[0].rows, rows_kind(kind), None))


@handles("InSubquery")
def in_subquery(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`a IN (SELECT b …)`."""
    kind = under_operator(kind) if kind == IDENTITY else kind
    for child in node.children:
        flow(scope, child, target, kind)
