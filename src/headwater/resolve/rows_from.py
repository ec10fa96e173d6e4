"""PostgreSQL's ROWS FROM (f(x), g(y)): functions side by side, row by row, as many rows as the longest has."""

from __future__ import annotations

from typing import Any

from headwater.model.kind import FROM_ROWS
from headwater.resolve.from_item import add_derived, from_item, table_form
from headwater.resolve.generator import add_position
from headwater.resolve.scope import ResultSet, Scope


@table_form
def rows_from(scope: Scope, node: Any) -> bool:
    """`ROWS FROM (f(x), g(y)) [WITH ORDINALITY] AS z (a, b)`: the columns of each, one after the other."""
    functions = node.args.get("rows_from")
    if not functions:
        return False
    result = ResultSet(scope.builder, "function", node)
    first = len(scope.items)
    for each in functions:
        from_item(scope, each)
    for item in scope.take(first):
        scope.edges.append((result.rows, item.owner.rows, FROM_ROWS, None))
        for name, column in item.owner.star():
            result.pass_on(item.owner, name, column, node)
    if node.args.get("ordinality"):
        add_position(scope, result, "ordinality", node)
    add_derived(scope, node, result.complete())
    return True
