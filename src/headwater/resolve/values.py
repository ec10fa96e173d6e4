"""VALUES: rows of expressions as a query or a FROM item, with the names that the dialect gives."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.builder import Builder
from headwater.resolve.flow import make
from headwater.resolve.from_item import add_derived, stands_in_from
from headwater.resolve.query import query_form
from headwater.resolve.scope import Environment, ResultSet, Scope


@query_form(exp.Values)
def values(builder: Builder, node: Any, parent: Scope | None, environment: Environment, type: str) -> ResultSet:
    """The result set of a VALUES list: each column takes the cells below each other."""
    result = ResultSet(builder, type, node)
    scope = Scope(builder, parent, environment, result.rows)
    for row in node.expressions:
        cells = row.expressions if isinstance(row, exp.Tuple) else [row]
        for i, cell in enumerate(cells):
            if i == len(result.outputs):
                result.add(builder.dialect.values_column(i), cell)
            if not is_default(cell):
                make(scope, cell, result.outputs[i][1])
    return result.complete()


def is_default(cell: Any) -> bool:
    """Whether a cell is the word DEFAULT."""
    return isinstance(cell, exp.Var) or (
        isinstance(cell, exp.Column) and cell.name.upper() == "DEFAULT" and not cell.args.get("table")
    )


@stands_in_from(exp.Values)
def values_in_from(scope: Scope, node: Any) -> None:
    """`FROM (VALUES (1, 2)) AS v (a, b)`."""
    add_derived(scope, node, values(scope.builder, node, scope, scope.environment, "select_list"))
