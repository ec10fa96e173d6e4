"""Subqueries inside expressions: scalar, EXISTS, IN."""

from __future__ import annotations

from headwater.analyzers.catalyst.flow import flow, handles
from headwater.analyzers.catalyst.plan import Attribute, Node, Unread
from headwater.analyzers.catalyst.select import Scope, query
from headwater.model.kind import FDR, IDENTITY, KINDS, WHERE, under_operator
from headwater.resolve.scope import ResultSet


def inner(scope: Scope, node: Node) -> tuple[ResultSet, list[Attribute]]:
    """The result set of a subquery expression."""
    plan = node.tree("plan")
    if plan is None:
        raise Unread(f"a {node.name} without a plan")
    return query(scope.select.reader, plan, scope)


def _rows_kind(kind: int) -> int:
    """How a subquery's row set acts where its value acts as *kind*: it filters."""
    return kind if KINDS[kind].type == FDR else WHERE


@handles("ScalarSubquery", "ListQuery")
def scalar(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`(SELECT max(x) FROM u)`: its value is data, its rows decide whether there is a value."""
    result, outputs = inner(scope, node)
    for each in outputs:
        scope.edges.append((target, each.column, kind, None))
    scope.edges.append((target, result.rows, _rows_kind(kind), None))


@handles("Exists")
def exists(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`EXISTS (SELECT …)`: only whether there are rows."""
    scope.edges.append((target, inner(scope, node)[0].rows, _rows_kind(kind), None))


@handles("InSubquery")
def in_subquery(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`a IN (SELECT b …)`."""
    kind = under_operator(kind) if kind == IDENTITY else kind
    for child in node.children:
        flow(scope, child, target, kind)
