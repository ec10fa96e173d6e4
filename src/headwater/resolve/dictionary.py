"""ClickHouse's CREATE DICTIONARY: a table that is filled from another one, by name."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import IDENTITY, WRITE_ROWS
from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder
from headwater.resolve.column_definition import column_definitions
from headwater.resolve.statement import Outcome


def dictionary(builder: Builder, node: Any) -> Outcome:
    """`CREATE DICTIONARY d (a UInt64) … SOURCE (CLICKHOUSE (TABLE 't' DB 'x'))`; other sources are not tables of ours."""
    schema = node.this
    table = builder.table(schema.this if isinstance(schema, exp.Schema) else schema)
    columns = column_definitions(builder, schema.expressions if isinstance(schema, exp.Schema) else [])
    source = _source(node)
    if source is not None:
        builder.writes(table)
        given = builder.reads(builder.table(source))
        for name in columns:
            builder.edge(table.claim(name), given.claim(name), IDENTITY, None)
        builder.edge(table.rows, given.rows, WRITE_ROWS, None)
    builder.defines.append(Definition(table.name, columns or None))
    return Outcome("Create Dictionary")


def _source(node: Any) -> Any:
    """The table that a SOURCE (CLICKHOUSE (…)) names."""
    properties = node.args.get("properties")
    for each in properties.expressions if properties else ():
        if isinstance(each, exp.DictProperty) and str(each.this).upper() == "SOURCE":
            settings = {s.name.upper(): s.args.get("value") for s in each.args.get("settings") or ()}
            if str(each.args.get("kind")).upper() == "CLICKHOUSE" and isinstance(settings.get("TABLE"), exp.Expr):
                schema = settings.get("DB")
                return exp.Table(
                    this=exp.to_identifier(settings["TABLE"].name),
                    db=exp.to_identifier(schema.name) if isinstance(schema, exp.Expr) else None,
                )
    return None
