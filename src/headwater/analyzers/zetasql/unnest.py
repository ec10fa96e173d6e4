"""UNNEST, and arrays in FROM: one row per element, with its position."""

from __future__ import annotations

from headwater.analyzers.select import Attribute, Scope, Select
from headwater.analyzers.zetasql.flow import flow
from headwater.analyzers.zetasql.join import compare, side
from headwater.analyzers.zetasql.nested import value_of
from headwater.analyzers.zetasql.scan import reads
from headwater.analyzers.zetasql.tree import Column, Node
from headwater.model.kind import AGGREGATE_ROWS, LATERAL, TRANSFORMATION
from headwater.resolve.scope import ResultSet


@reads("ArrayScan")
def unnest(select: Select, node: Node) -> list[Attribute]:
    """Arrays flow into the columns of their elements, and decide how many rows there are."""
    outside = node.optional("input_scan")
    left = side(select, outside) if outside is not None else []
    scope = Scope(select, left)
    result = ResultSet(select.builder, "function", None)
    arrays = node.nodes("array_expr_list")
    for array in arrays:
        flow(scope, array, result.rows, LATERAL)
    right = [
        _element(scope, result, column, array)
        for column, array in zip(node.columns("element_column_list"), arrays, strict=True)
    ]
    offset = node.optional("array_offset_column")
    if offset is not None:
        position = _column(scope, result, offset.column(), [])
        scope.edges.append((position.column, result.rows, AGGREGATE_ROWS, None))
        right.append(position)
    select.items.append(result.complete().rows)
    compare(select, node.optional("join_expr"), left, right, select.result.rows)
    return left + right


def _column(scope: Scope, result: ResultSet, column: Column, sources: list[Node]) -> Attribute:
    own = result.add(scope.select.fold(column.name), None)
    for source in sources:
        flow(scope, source, own, TRANSFORMATION)
    return Attribute(column.id, column.name, own)


def _element(scope: Scope, result: ResultSet, column: Column, array: Node) -> Attribute:
    """The elements; where the array is a column, or is built here, their fields are its fields."""
    made = _column(scope, result, column, [array])
    if array.name in ("ColumnRef", "GetStructField", "GetJsonField") or column.type.fields:
        scope.builder.elements[made.column] = value_of(scope, array)
    return made
