"""VALUES: rows of expressions as a query or a FROM item, with the names that the dialect gives."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import IDENTITY
from headwater.resolve.builder import Builder
from headwater.resolve.flow import flow
from headwater.resolve.from_item import add_derived, stands_in_from
from headwater.resolve.query import query_form
from headwater.resolve.scope import ALIASES_FIRST, Environment, ResultSet, Scope


@query_form(exp.Values)
def values(builder: Builder, node: Any, parent: Scope | None, environment: Environment, type: str) -> ResultSet:
    """The result set of a VALUES list: each column takes the cells below each other."""
    result = ResultSet(builder, type, node)
    scope = Scope(builder, parent, environment, result.rows)
    row_names = _row_names(scope, node)
    for row in node.expressions:
        for i, cell in enumerate(_cells(row)):
            if i == len(result.outputs):
                result.add(builder.dialect.values_column(i), cell)
            if not is_default(cell):
                flow(scope, cell, result.outputs[i][1], IDENTITY)
            if i < len(row_names):
                scope.aliases[row_names[i]] = result.outputs[i][1]
    return result.complete()


def _cells(row: Any) -> list[Any]:
    """The cells of a row; `VALUES ROW(1, 2)` is a row as well. ClickHouse's grammar gives each cell brackets of its own."""
    cells = row.expressions if isinstance(row, exp.Tuple) else [row]
    if len(cells) == 1 and isinstance(cells[0], exp.Anonymous) and cells[0].name.upper() == "ROW":
        return list(cells[0].expressions)
    return [c.expressions[0] if isinstance(c, exp.Tuple) and len(c.expressions) == 1 else c for c in cells]


def _row_names(scope: Scope, node: Any) -> list[str]:
    """The columns that a row of INSERT fills, where the dialect lets its later values use the earlier ones."""
    insert = node.parent
    if not (scope.dialect.insert_sees_row and isinstance(insert, exp.Insert) and isinstance(insert.this, exp.Schema)):
        return []
    scope.alias_rule = ALIASES_FIRST
    return [scope.dialect.column(c) for c in insert.this.expressions if isinstance(c, exp.Identifier)]


def is_default(cell: Any) -> bool:
    """Whether a cell is the word DEFAULT."""
    return isinstance(cell, exp.Var) or (
        isinstance(cell, exp.Column) and cell.name.upper() == "DEFAULT" and not cell.args.get("table")
    )


@stands_in_from(exp.Values)
def values_in_from(scope: Scope, node: Any) -> None:
    """`FROM (VALUES (1, 2)) AS v (a, b)`."""
    add_derived(scope, node, values(scope.builder, node, scope, scope.environment, "select_list"))
