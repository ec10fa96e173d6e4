"""BigQuery's rows that are structs: `SELECT AS STRUCT a, b`; `SELECT AS VALUE s`, whose columns are the fields of s."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.shape import has_fields, known_value
from headwater.resolve.star import add_fields


def struct_as_row(scope: Scope, node: Any, result: ResultSet) -> bool:
    """One output per field of the struct that AS VALUE takes for the row; False if there is none, or nothing is known of its fields."""
    kind = str(node.args.get("kind") or "").upper()
    result.is_struct = kind == "STRUCT"
    if kind != "VALUE" or len(node.expressions) != 1:
        return False
    value = node.expressions[0].unalias()
    if isinstance(value, exp.Star) or value.is_star:
        return False
    column = known_value(scope, value)
    if column is None or not has_fields(scope.builder, column):
        return False
    add_fields(scope, column, exp.Star(), result, value)
    result.is_struct = True
    return True
