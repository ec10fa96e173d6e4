"""BigQuery's value tables: `SELECT AS VALUE STRUCT(…)` gives rows whose columns are the struct's fields."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import IDENTITY
from headwater.resolve.flow import flow
from headwater.resolve.nested import build, struct_members
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.select_item import gives_outputs


@gives_outputs(exp.Struct)
def struct_as_row(scope: Scope, node: Any, result: ResultSet) -> bool:
    """One output per field of the struct that AS VALUE takes for the row."""
    query = node.parent
    if not isinstance(query, exp.Select) or str(query.args.get("kind") or "").upper() != "VALUE":
        return False
    for name, member in (struct_members(scope, node) or {}).items():
        before = len(scope.edges)
        column = result.add(name, member)
        flow(scope, member, column, IDENTITY)
        if isinstance(member, exp.Column) and len(scope.edges) == before + 1:
            scope.builder.origins[column] = scope.edges[before][1]
        build(scope, member, column)
    return True
