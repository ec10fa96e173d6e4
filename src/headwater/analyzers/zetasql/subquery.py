"""Subqueries inside expressions: scalar, ARRAY, EXISTS, IN, LIKE ANY."""

from __future__ import annotations

from headwater.analyzers.select import Attribute, Scope, rows_kind
from headwater.analyzers.zetasql.flow import flow, handles
from headwater.analyzers.zetasql.scan import query_of
from headwater.analyzers.zetasql.tree import Node
from headwater.model.kind import IDENTITY, TRANSFORMATION, WHERE, under_operator
from headwater.resolve.field import field_of
from headwater.resolve.scope import ResultSet


def inner(scope: Scope, node: Node) -> tuple[ResultSet, list[Attribute]]:
    """The result set of a subquery expression."""
    scan = node.node("subquery")
    return query_of(scope.select.reader, scan, scope, scan.columns())


@handles("SubqueryExpr")
def subquery(scope: Scope, node: Node, target: int, kind: int) -> None:
    """Its value is data, its rows decide whether there is one; EXISTS asks for rows only."""
    result, outputs = inner(scope, node)
    compared = node.optional("in_expr")
    if compared is not None:
        kind = under_operator(kind)
        flow(scope, compared, target, kind)
    collected = node.fields.get("subquery_type") == "ARRAY"
    if node.fields.get("subquery_type") != "EXISTS":
        for each in outputs:
            scope.edges.append((target, each.column, under_operator(kind) if collected else kind, None))
    scope.edges.append((target, result.rows, rows_kind(kind), None))
    if outputs and node.type.struct.fields and kind == IDENTITY:
        scope.builder.structs[target] = Selected(result, outputs[0].column, TRANSFORMATION if collected else IDENTITY)


class Selected:
    """The rows of a subquery that gives structs: a field takes the field of the query's output, and its rows."""

    __slots__ = ("kind", "output", "result")

    def __init__(self, result: ResultSet, output: int, kind: int) -> None:
        self.result = result
        self.output = output
        self.kind = kind

    def flow_into(self, name: str, field: int) -> bool:
        """Let a field of the output flow into the column *field*."""
        builder = self.result.builder
        source = field_of(builder, self.output, name)
        builder.edge(field, source, self.kind, None)
        (builder.origins if self.kind == IDENTITY else builder.elements)[field] = source
        builder.edge(field, self.result.rows, WHERE, None)
        return True
