"""PostgreSQL's `ROWS FROM (f(x), g(y))`: the rows of several functions side by side, the shorter ones filled up with nulls."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import TRANSFORMATION
from headwater.resolve.from_item import alias_columns, alias_name, from_item, table_form
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.star import add_all


@table_form
def rows_from(scope: Scope, node: Any) -> bool:
    """One item with the columns of all functions, and last the number of the row if ORDINALITY is asked for."""
    functions = node.args.get("rows_from")
    if not functions:
        return False
    result = ResultSet(scope.builder, "function", node)
    together = Scope(scope.builder, scope, scope.environment, result.rows)
    for function in functions:
        from_item(together, function if isinstance(function, exp.Table) else exp.Table(this=function))
    together.close_from()
    add_all(together, result, node)
    if node.args.get("ordinality"):
        columns = [column for _, column in result.outputs]
        number = result.add(scope.dialect.fold_column("ordinality", False), node)
        scope.edges.extend((number, column, TRANSFORMATION, node) for column in columns)
    names = alias_columns(scope, node)
    if names:
        result.rename(names)
    alias = alias_name(scope, node)
    result.row.alias = alias
    scope.add(alias, result.complete())
    return True
