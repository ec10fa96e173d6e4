"""LATERAL: views over generators, subqueries and calls that see what stands before them; TABLE(f(…))."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import TRANSFORMATION
from headwater.resolve.flow import flow
from headwater.resolve.from_item import (
    add_derived,
    alias_columns,
    alias_name,
    from_item,
    hangs_on_item,
    stands_in_from,
)
from headwater.resolve.generator import arguments_of, default_columns, generate, is_generator, name_of
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.table_function import table_function
from headwater.resolve.unnest import unnest


@hangs_on_item("laterals")
def laterals(scope: Scope, node: Any, first: int) -> None:
    """The LATERAL VIEWs of a SELECT or an item, each over all before it."""
    for each in node.args["laterals"]:
        from_item(scope, each)


@stands_in_from(exp.Lateral)
def lateral(scope: Scope, node: Any) -> None:
    """LATERAL VIEW explode(…), LATERAL (SELECT …), LATERAL f(…)."""
    inner = node.this
    if isinstance(inner, exp.Subquery) and is_query(inner.this):
        inner = inner.this
    if is_query(inner):
        result = query(scope.builder, inner, scope, scope.environment)
        add_derived(scope, node, result)
        return
    _call_in_from(scope, node, _strip(inner))


@stands_in_from(exp.TableFromRows)
def table_from_rows(scope: Scope, node: Any) -> None:
    """`TABLE(f(…)) AS g`."""
    _call_in_from(scope, node, _strip(node.this))


def _call_in_from(scope: Scope, node: Any, call: Any) -> None:
    if isinstance(call, exp.Unnest):
        unnest(scope, node if isinstance(node, exp.Unnest) else _with_alias(call, node))
        return
    if is_generator(call):
        names = alias_columns(scope, node)
        if names and scope.dialect.family == "snowflake":
            names += default_columns(scope, call)[len(names) :]
        result = generate(scope, call, names, call)
        if not names:
            _map_columns(scope, call, result, node)
        result.row.alias = alias_name(scope, node)
        scope.add(result.row.alias, result)
        return
    table_function(scope, node, call)


def _map_columns(scope: Scope, call: Any, result: ResultSet, place: Any) -> None:
    """An exploded map has key and value; whether it is a map, only its type tells."""
    arguments = arguments_of(call)
    if name_of(call) not in ("explode", "posexplode") or "value" in result.columns or "VALUE" in result.columns:
        return
    for name in ("key", "value"):
        if name not in result.columns:
            column = result.columns[name] = scope.builder.column(result.entity, name, place)
            for argument in arguments:
                flow(scope, argument, column, TRANSFORMATION)


def _with_alias(call: Any, node: Any) -> Any:
    copy = call.copy()
    copy.set("alias", node.args.get("alias"))
    return copy


def _strip(node: Any) -> Any:
    """The call inside TABLE(…) and parentheses."""
    while isinstance(node, (exp.TableFromRows, exp.Paren)):
        node = node.this
    return node
