"""BigQuery's value tables: `SELECT AS VALUE STRUCT(…)`, `SELECT AS VALUE s` give rows whose columns are the struct's fields."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import IDENTITY
from headwater.resolve.bind import column_of
from headwater.resolve.flow import flow
from headwater.resolve.nested import build, struct_members
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.select_item import gives_outputs
from headwater.resolve.star import add_fields, struct_fields


@gives_outputs(exp.Struct)
def struct_as_row(scope: Scope, node: Any, result: ResultSet) -> bool:
    """One output per field of the struct that AS VALUE takes for the row."""
    if not _is_value(node.parent):
        return False
    for name, member in (struct_members(scope, node) or {}).items():
        before = len(scope.edges)
        column = result.add(name, member)
        flow(scope, member, column, IDENTITY)
        if isinstance(member, exp.Column) and len(scope.edges) == before + 1:
            scope.builder.origins[column] = scope.edges[before][1]
        build(scope, member, column)
    return True


def column_as_row(scope: Scope, expressions: list[Any], result: ResultSet) -> bool:
    """One output per field of the column that AS VALUE takes for the row; False if that is none, or has no fields that are known."""
    if len(expressions) != 1 or not _is_value(expressions[0].parent):
        return False
    node = expressions[0].unalias()
    column = column_of(scope, node) if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier) else None
    if column is None or not struct_fields(scope, column):
        return False
    add_fields(scope, column, exp.Star(), result, node)
    return True


def _is_value(query: Any) -> bool:
    return isinstance(query, exp.Select) and str(query.args.get("kind") or "").upper() == "VALUE"
