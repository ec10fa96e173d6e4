"""The arguments of a function in FROM: values, whole tables, queries; what each does to the function's value and rows."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import FROM_ROWS, LATERAL, TRANSFORMATION
from headwater.resolve.builder import Owner
from headwater.resolve.flow import flow
from headwater.resolve.from_item import from_item
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import Scope
from headwater.resolve.values import is_default


def named(scope: Scope, argument: Any) -> tuple[str, Any]:
    """An argument's name in lower case, nothing if it has none, and its value: `a => 1`, `a := 1`, DuckDB's and ClickHouse's `a = 1`."""
    if isinstance(argument, (exp.Kwarg, exp.PropertyEQ)):
        return argument.this.name.lower(), argument.expression
    if isinstance(argument, exp.EQ) and _names_an_option(scope, argument.this):
        return argument.this.name.lower(), argument.expression
    return "", argument


def _names_an_option(scope: Scope, node: Any) -> bool:
    plain = isinstance(node, exp.Column) and node.args.get("table") is None
    return plain and scope.dialect.family in ("duckdb", "tsql", "clickhouse")


def _names_collection(scope: Scope, arguments: list[Any]) -> bool:
    """ClickHouse's `s3(settings, filename = 'x')`: the first argument is the name of a collection of settings."""
    first, *rest = arguments or [None]
    if scope.dialect.family != "clickhouse" or not isinstance(first, exp.Column):
        return False
    return bool(rest) and all(isinstance(each, exp.EQ) for each in rest)


def flow_arguments(scope: Scope, arguments: list[Any], value: int, rows: int) -> None:
    """Let arguments flow into a call's value; they decide over its rows as well."""
    for argument in arguments[1:] if _names_collection(scope, arguments) else arguments:
        if is_default(argument):
            continue
        _, given = named(scope, argument)
        table = table_argument(given)
        if table is not None:
            _flow_table(scope, table, value, rows)
        elif not _is_descriptor(given):
            flow(scope, given, value, TRANSFORMATION)
            flow(scope, given, rows, LATERAL)


def table_argument(node: Any) -> Any:
    """The table or query that an argument hands over whole: `TABLE t`, `TABLE(t)`, `TABLE(SELECT …)`; None for a value."""
    if isinstance(node, (exp.Table, exp.Select, exp.SetOperation)):
        return node
    if not _is_call(node, "TABLE") or not node.expressions:
        return None
    inner = node.expressions[0]
    return table_of(inner) if isinstance(inner, exp.Column) else inner if is_query(inner) else None


def table_of(column: Any, *outer: Any) -> Any:
    """The table that a dotted name means where the grammar has read a column; *outer* parts come before it."""
    keys = ("catalog", "db", "table", "this")
    parts = [*outer, *(column.args[key].copy() for key in keys if column.args.get(key) is not None)]
    return named_table(parts)


def named_table(parts: list[Any]) -> Any:
    """A table node of these identifiers, outermost first."""
    name = parts[0]
    for part in parts[1:]:
        name = exp.Dot(this=name, expression=part)
    return exp.Table(this=name)


def _is_call(node: Any, name: str) -> bool:
    return isinstance(node, exp.Anonymous) and str(node.this).upper() == name


def _is_descriptor(node: Any) -> bool:
    """`DESCRIPTOR(a, b)` only names columns."""
    return _is_call(node, "DESCRIPTOR")


def descriptor_columns(node: Any) -> list[Any]:
    """The columns that `DESCRIPTOR(a, b)` names; none for any other argument."""
    return node.expressions if _is_descriptor(node) else []


def partition_keys(node: Any) -> list[Any]:
    """The columns of `TABLE t PARTITION BY a, b`, which stand behind the table in brackets: `TABLE(t, (a, b))`."""
    if not _is_call(node, "TABLE"):
        return []
    return [key for each in node.expressions[1:] for key in (each.expressions or [each.this])]


def whole_input(node: Any) -> Any:
    """The table or query that an argument hands over whole, in brackets or not; None for a value."""
    found = table_argument(node) if isinstance(node, exp.Expr) else None
    return found if found is not None else node if isinstance(node, exp.Subquery) and is_query(node) else None


def input_owner(scope: Scope, node: Any, rows: int) -> Owner:
    """A table or query that is an argument, as an owner of columns; its rows make the function's *rows*."""
    if isinstance(node, exp.Table):
        inner = Scope(scope.builder, scope, scope.environment, rows)
        from_item(inner, node)
        owner = inner.items[0].owner
    else:
        owner = query(scope.builder, node, scope, scope.environment)
    scope.edges.append((rows, owner.rows, FROM_ROWS, None))
    return owner


def _flow_table(scope: Scope, node: Any, value: int, rows: int) -> None:
    if isinstance(node, exp.Table):
        inner = Scope(scope.builder, scope, scope.environment, rows)
        from_item(inner, node)
        owners = [item.owner for item in inner.items]
    else:
        owners = [query(scope.builder, node, scope, scope.environment)]
    for owner in owners:
        scope.edges.append((rows, owner.rows, FROM_ROWS, None))
        for _, column in owner.star():
            scope.edges.append((value, column, TRANSFORMATION, node))


def merged_tables(arguments: list[Any]) -> Any:
    """The tables that ClickHouse's `Merge(db, '^t')` shows: one entity, named by the pattern, that stands for all that fit it."""
    *outer, pattern = arguments or [None]
    if not isinstance(pattern, exp.Literal) or len(outer) > 1:
        return None
    database = outer[0] if outer else None
    if isinstance(database, exp.Func):  # REGEXP('^db'), currentDatabase()
        database = database.expressions[0] if database.expressions else None
    named = [database] if isinstance(database, (exp.Column, exp.Literal)) else []
    return named_table([exp.to_identifier(each.name, quoted=True) for each in (*named, pattern)])


def is_database_pattern(arguments: list[Any]) -> bool:
    """Whether ClickHouse's `merge(REGEXP('^d'), '^t')` has a pattern in the place of the database."""
    return len(arguments) > 1 and isinstance(arguments[0], exp.Func) and bool(arguments[0].expressions)
