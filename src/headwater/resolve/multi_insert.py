"""Several INSERTs of one source: Hive's `FROM t INSERT … INSERT …`, Snowflake's and Oracle's `INSERT ALL | FIRST`."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import FROM_ROWS, IDENTITY, WHERE
from headwater.resolve.builder import Builder
from headwater.resolve.cte import with_ctes
from headwater.resolve.flow import flow, make
from headwater.resolve.from_item import from_item
from headwater.resolve.insert import insert_into
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.select import select_from
from headwater.resolve.statement import Outcome, resolves


@resolves(exp.MultitableInserts)
def multi_insert(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """One source, resolved once; each INSERT takes from it what it wants."""
    environment = with_ctes(builder, node, None, environment)
    if node.args.get("kind"):
        _insert_all(builder, node, environment)
    else:
        _from_insert(builder, node, environment)
    return Outcome("Insert")


def _from_insert(builder: Builder, node: Any, environment: Environment) -> None:
    """`FROM t INSERT INTO a SELECT x WHERE … INSERT INTO b SELECT y`."""
    shared = Scope(builder, None, environment)
    shared.rows = ResultSet(builder, "from", node).complete().rows
    from_item(shared, node.args["source"])
    for insert in node.expressions:
        select = insert.expression
        if not isinstance(select, exp.Select):
            builder.say(Code.UNSUPPORTED_CONSTRUCT, "an INSERT after FROM needs a SELECT", insert, "INSERT")
            continue
        result = ResultSet(builder, "insert-select", select)
        scope = Scope(builder, None, environment, result.rows)
        scope.items, scope.by_name = list(shared.items), dict(shared.by_name)
        scope.merged, scope.merged_at, scope.hidden = shared.merged, shared.merged_at, shared.hidden
        builder.edges.append((result.rows, shared.rows, FROM_ROWS, None))
        for lateral in select.args.get("laterals") or ():
            from_item(scope, lateral)
        insert_into(builder, insert, select_from(scope, select, result))


def _insert_all(builder: Builder, node: Any, environment: Environment) -> None:
    """`INSERT ALL WHEN c THEN INTO a (p) VALUES (x) … SELECT …`: conditions decide over their own target's rows."""
    source = node.args["source"]
    inner = source.this if isinstance(source, exp.Subquery) else source
    given = query(builder, inner if is_query(inner) else source, None, environment)
    conditions: list[Any] = []
    last: Any = None
    for each in node.expressions:
        insert, condition = (
            (each.this, each.args.get("expression")) if isinstance(each, exp.ConditionalInsert) else (each, None)
        )
        if isinstance(each, exp.ConditionalInsert):
            if condition is not None:
                conditions.append(condition)
                last = [condition]
            elif each.args.get("else_"):
                last = conditions
        _into(builder, insert, given, last or [], environment)


def _into(builder: Builder, insert: Any, given: ResultSet, conditions: list[Any], environment: Environment) -> None:
    result = ResultSet(builder, "insert-select", insert)
    scope = Scope(builder, None, environment, result.rows)
    scope.add(None, given)
    scope.close_from()
    for condition in conditions:
        flow(scope, condition, result.rows, WHERE)
    values = insert.args.get("expression")
    cells = values.expressions[0].expressions if isinstance(values, exp.Values) else None
    if cells is None:
        for name, column in given.outputs:
            builder.edges.append((result.add(name, None), column, IDENTITY, insert))
    else:
        for cell in cells:
            make(scope, cell, result.add(_name(builder, cell), cell))
    insert_into(builder, insert, result.complete())


def _name(builder: Builder, cell: Any) -> str:
    """The name of the column that a cell makes."""
    if isinstance(cell, exp.Column):
        return builder.dialect.column(cell.this)
    return builder.places.literal(cell) if isinstance(cell, exp.Literal) else str(cell.name)
