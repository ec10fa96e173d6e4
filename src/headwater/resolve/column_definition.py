"""Column definitions of a CREATE or ALTER TABLE: names, types, and the expressions of computed columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from headwater.model.kind import IDENTITY
from headwater.resolve.builder import Builder, Table
from headwater.resolve.flow import flow
from headwater.resolve.named_type import spell_out
from headwater.resolve.scope import Environment, Scope

_COMPUTED = (exp.ComputedColumnConstraint, exp.GeneratedAsIdentityColumnConstraint)
_NUMBERS = (exp.GeneratedAsIdentityColumnConstraint, exp.AutoIncrementColumnConstraint)


def column_definitions(builder: Builder, items: Sequence[Any]) -> dict[str, str]:
    """Names and types of the column definitions among a table's elements; a bare name is a column without a type (SQLite)."""
    columns: dict[str, str] = {}
    for item in items:
        if isinstance(item, exp.ColumnDef) and not _is_index(builder, item):
            kind = item.args.get("kind")
            if builder.session.programs or builder.dialect.tables_are_types:
                spell_out(builder, kind)
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
    return builder.dialect.family == "tsql" and name.name.upper() == "INDEX" and not name.args.get("quoted")


def computed(item: Any) -> Any:
    """The expression of a computed column, `c int GENERATED ALWAYS AS (a + b)`; None for others."""
    for kind in _constraints(item):
        if isinstance(kind, _COMPUTED):
            expression = kind.args.get("expression") or kind.args.get("this")
            if isinstance(expression, exp.Expr):
                return expression
    return None


def unwritten_names(builder: Builder, items: Sequence[Any]) -> frozenset[str]:
    """The names of the columns among a table's elements that an INSERT without a column list leaves out."""
    numbered = builder.dialect.identity_is_left_out
    return frozenset(
        builder.dialect.column(item.this)
        for item in items
        if computed(item) is not None or _is_hidden(item) or (numbered and _is_numbered(item))
    )


def hidden_names(builder: Builder, items: Sequence[Any]) -> frozenset[str]:
    """The names of the columns among a table's elements that `*` leaves out; in ClickHouse these are the computed ones."""
    if builder.dialect.family == "clickhouse":
        return unwritten_names(builder, items)
    return frozenset(builder.dialect.column(item.this) for item in items if _is_hidden(item))


def _constraints(item: Any) -> list[Any]:
    """The constraints of a column definition."""
    found = item.args.get("constraints") or () if isinstance(item, exp.ColumnDef) else ()
    return [constraint.args.get("kind") for constraint in found]


def _is_numbered(item: Any) -> bool:
    """`id int IDENTITY(1, 1)`: the database counts."""
    return any(isinstance(kind, _NUMBERS) for kind in _constraints(item))


def _is_hidden(item: Any) -> bool:
    """`since datetime2 GENERATED ALWAYS AS ROW START HIDDEN`, `b int INVISIBLE`."""
    return any(
        isinstance(k, exp.InvisibleColumnConstraint)
        or (isinstance(k, exp.GeneratedAsRowColumnConstraint) and k.args.get("hidden"))
        for k in _constraints(item)
    )


def _default(item: Any) -> Any:
    """The default of a column that reads something; None for others."""
    found = (reading_default(kind.this) for kind in _constraints(item) if isinstance(kind, exp.DefaultColumnConstraint))
    return next(found, None)


def reading_default(value: Any) -> Any:
    """A default that is made of other columns, or looked up in other tables; None for any other."""
    reads = isinstance(value, exp.Expr) and value.find(exp.Column, exp.Query) is not None
    return value if reads else None


def compute(builder: Builder, table: Table, items: Sequence[Any]) -> None:
    """What computed columns are made of: other columns of their table."""
    reads = builder.dialect.defaults_read
    made = [(item, computed(item) or (_default(item) if reads else None)) for item in items]
    for item, expression in made:
        if expression is not None:
            scope = Scope(builder, None, Environment(), table.rows)
            scope.add(table.name[-1], builder.writes(table))
            flow(scope, expression, table.claim(builder.dialect.column(item.this)), IDENTITY)
