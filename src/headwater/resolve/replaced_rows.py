"""INSERT … REPLACE WHERE, REPLACE ON and REPLACE USING: what decides which rows of the target make way for the new ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from headwater.model.kind import JOIN_CONDITION, WHERE
from headwater.resolve.builder import Builder, Table
from headwater.resolve.flow import flow
from headwater.resolve.from_item import alias_name
from headwater.resolve.join import condition
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.target import changed
from headwater.sql.respell.inserted import REPLACE_ON


def replaced_rows(builder: Builder, node: Any, table: Table, result: ResultSet) -> None:
    """Let the condition or the keys of a REPLACE decide over the target's rows."""
    where, using = node.args.get("where"), node.args.get("using")
    if where is not None:
        _by_condition(builder, node, where.this if isinstance(where, exp.Where) else where, table, result)
    if using:
        keys = {builder.dialect.column(each.this if isinstance(each, exp.Column) else each): each for each in using}
        replaced_by_keys(builder, keys, table, result)


def _by_condition(builder: Builder, node: Any, test: Any, table: Table, result: ResultSet) -> None:
    """`REPLACE WHERE c` looks at the target; `REPLACE ON c` compares it with the query, by their names or aliases."""
    scope = Scope(builder, None, Environment(), table.rows)
    alias = alias_name(scope, changed(builder, node.this))
    scope.add(alias or table.name[-1], table, alias is not None)
    if isinstance(test, exp.Anonymous) and test.name == REPLACE_ON:
        name = [builder.dialect.fold_column(each.name, False) for each in test.expressions[1:]]
        scope.add(name[0] if name else "", result, bool(name))
        condition(scope, test.expressions[0], 1)
    else:
        flow(scope, test, table.rows, WHERE)


def replaced_by_keys(builder: Builder, keys: Mapping[str, Any], table: Table, result: ResultSet) -> None:
    """`REPLACE USING (k)`: the rows that have the keys of new ones make way. *keys* are names, each with its place.

    A key, and the output that was written into it, decide over the rows.
    """
    outputs = {column for _, column in result.outputs}
    for name, place in keys.items():
        key = table.claim(name)
        given = [source for target, source, _, _ in builder.edges if target == key and source in outputs]
        for column in (key, *given):
            builder.edge(table.rows, column, JOIN_CONDITION, place)
