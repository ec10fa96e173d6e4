"""ORDER BY and LIMIT: an order matters to lineage only where it decides which rows stay."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import DISTINCT, LIMIT, ORDER_BY
from headwater.resolve.flow import flow
from headwater.resolve.position import position
from headwater.resolve.scope import ALIASES_FIRST, NO_ALIASES, ResultSet, Scope
from headwater.sql.procedural.form import ORDER_DECIDES

_LIMITS = ("limit", "offset", "limit_by")
_ORDERS = ("order", "sort", "cluster")
"""ORDER BY, and Hive's SORT BY and CLUSTER BY, which order each part of the rows."""


def order_and_limit(scope: Scope, node: Any, result: ResultSet) -> None:
    """ORDER BY together with LIMIT, OFFSET, FETCH or TOP decides over the row set; so do columns inside LIMIT."""
    args = node.args
    limits = [args[key] for key in _LIMITS if args.get(key) is not None]
    if not limits and not _decides(scope, node):
        _read_subqueries(scope, args.get("order"))
        return
    for limit in limits:
        expression = limit.args.get("expression") or limit.args.get("count")
        if isinstance(expression, exp.Identifier):  # FETCH FIRST n ROWS ONLY
            expression = exp.Column(this=expression.copy())
        if isinstance(expression, exp.Expr) and not isinstance(expression, exp.Literal):
            flow(scope, expression, result.rows, LIMIT)
        for key in limit.args.get("expressions") or ():
            flow(scope, key, result.rows, LIMIT)
    for key in _ORDERS:
        if args.get(key):
            _order(scope, args[key], result)


def _decides(scope: Scope, node: Any) -> bool:
    """Whether an ORDER BY without LIMIT matters: a loop goes through the rows in that order, or ROWNUM counts them."""
    order = node.args.get("order")
    return order is not None and (ORDER_DECIDES in order.meta or _numbered_outside(scope, node))


def _read_subqueries(scope: Scope, order: Any) -> None:
    """What the subqueries of an order read, the statement reads, even where the order decides over no row."""
    if order is None or all(map(_is_column, order.expressions)) or order.find(exp.Query) is None:
        return
    unused = ResultSet(scope.builder, "select_list", order).complete()
    for query in order.find_all(exp.Subquery, exp.Exists):
        flow(scope, query, unused.rows, ORDER_BY)


def _is_column(ordered: Any) -> bool:
    return type(ordered) is exp.Ordered and type(ordered.this) is exp.Column


def _numbered_outside(scope: Scope, node: Any) -> bool:
    """Oracle's `SELECT … FROM (SELECT … ORDER BY o) WHERE ROWNUM <= n`: the query around it keeps the first rows."""
    if "ROWNUM" not in scope.dialect.niladic or not isinstance(node.parent, exp.Subquery):
        return False
    clause = node.parent.parent
    around = clause.parent if isinstance(clause, exp.From) else None
    where = around.args.get("where") if isinstance(around, exp.Select) else None
    return where is not None and any(c.name.upper() == "ROWNUM" for c in where.find_all(exp.Column, exp.Pseudocolumn))


def _order(scope: Scope, order: Any, result: ResultSet) -> None:
    scope.aliases = {**scope.aliases, **result.columns}
    for ordered in order.expressions:
        key = ordered.this if isinstance(ordered, exp.Ordered) else ordered
        number = position(key)
        if number is not None and 0 < number <= len(result.outputs):
            scope.edges.append((result.rows, result.outputs[number - 1][1], ORDER_BY, key))
        elif isinstance(key, (exp.Column, exp.Var)) and key.name.upper() == "ALL" and "all" not in result.columns:
            for _, column in result.outputs:
                scope.edges.append((result.rows, column, ORDER_BY, key))
        else:
            bare = isinstance(key, exp.Column)
            scope.alias_rule = ALIASES_FIRST if bare or scope.dialect.alias_in_order_expression else NO_ALIASES
            flow(scope, key, result.rows, ORDER_BY)


def distinct_on(scope: Scope, node: Any, result: ResultSet) -> None:
    """`DISTINCT ON (k) … ORDER BY k, o`: k makes the groups, the order picks the row that stays."""
    scope.aliases = {**scope.aliases, **result.columns}
    scope.alias_rule = ALIASES_FIRST
    on = node.args["on"]
    for key in on.expressions if isinstance(on, exp.Tuple) else [on]:
        flow(scope, key, result.rows, DISTINCT)
    select = node.parent
    if select is not None and select.args.get("order") is not None and select.args.get("limit") is None:
        _order(scope, select.args["order"], result)
