"""Column definitions of a CREATE or ALTER TABLE: names, types, and the expressions of computed columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from headwater.model.kind import IDENTITY
from headwater.resolve.builder import Builder, Table
from headwater.resolve.flow import flow
from headwater.resolve.scope import Environment, Scope

_COMPUTED = (exp.ComputedColumnConstraint, exp.GeneratedAsIdentityColumnConstraint)


def column_definitions(builder: Builder, items: Sequence[Any]) -> dict[str, str]:
    """Names and types of the column definitions among a table's elements; a bare name is a column without a type (SQLite)."""
    columns: dict[str, str] = {}
    for item in items:
        if isinstance(item, exp.ColumnDef) and not _is_index(builder, item):
            kind = item.args.get("kind")
            columns[builder.dialect.column(item.this)] = (
                kind.sql(builder.dialect.grammar_name, unsupported_level=ErrorLevel.IGNORE)
                if isinstance(kind, exp.Expr)
                else ""
            )
        elif isinstance(item, exp.Identifier):
            columns[builder.dialect.column(item)] = ""
    return columns


def _is_index(builder: Builder, item: Any) -> bool:
    """T-SQL's `INDEX ix (a)` among the columns, which the grammar takes for one."""
    name = item.this
    return builder.dialect.name == "tsql" and name.name.upper() == "INDEX" and not name.args.get("quoted")


def computed(item: Any) -> Any:
    """The expression of a computed column, `c int GENERATED ALWAYS AS (a + b)`; None for others."""
    for constraint in item.args.get("constraints") or () if isinstance(item, exp.ColumnDef) else ():
        kind = constraint.args.get("kind")
        if isinstance(kind, _COMPUTED):
            expression = kind.args.get("expression") or kind.args.get("this")
            if isinstance(expression, exp.Expr):
                return expression
    return None


def computed_names(builder: Builder, items: Sequence[Any]) -> frozenset[str]:
    """The names of the computed columns among a table's elements."""
    return frozenset(builder.dialect.column(i.this) for i in items if computed(i) is not None)


def compute(builder: Builder, table: Table, items: Sequence[Any]) -> None:
    """What computed columns are made of: other columns of their table."""
    made = [(item, computed(item)) for item in items]
    for item, expression in made:
        if expression is not None:
            scope = Scope(builder, None, Environment(), table.rows)
            scope.add(table.name[-1], builder.writes(table))
            flow(scope, expression, table.claim(builder.dialect.column(item.this)), IDENTITY)
