"""Names that stand for many tables: BigQuery's `events_*`, ClickHouse's `merge('db', '^log_')`.

The name is an entity of its own. Which tables fit it is known when all statements are resolved (`lineage.matched`); those of the catalog
are found here.
"""

from __future__ import annotations

from typing import Any

from headwater.model.diagnostic import Code
from headwater.model.resolution import Wildcard
from headwater.resolve.builder import Builder, Table
from headwater.resolve.name_pattern import UnknownPattern, by_regex

MAX_CATALOG_TABLES = 100
"""Tables of the catalog that are followed into one wildcard: thousands of daily tables would be thousands of edges per column."""


def suffixed(builder: Builder, table: Table, place: Any) -> None:
    """`events_*` stands for all tables of its schema whose names begin like it."""
    *schema, name = table.name
    _note(builder, table, (*(("is", part) for part in schema), ("begins", name[:-1])), place)


def merged(builder: Builder, table: Table, database_pattern: bool, place: Any) -> None:
    """`merge('db', '^log_')` stands for all tables of the database in whose names the expression is found."""
    *schema, name = table.name
    how = "finds" if database_pattern else "is"
    parts = (*((how, part) for part in schema), ("finds", name))
    try:
        for kind, text in parts:
            if kind == "finds":
                by_regex(text)
    except UnknownPattern:
        message = f"which tables fit {name} is not worked out"
        builder.say(Code.UNSUPPORTED_CONSTRUCT, message, place, name)
        return
    _note(builder, table, parts, place)


def _note(builder: Builder, table: Table, parts: tuple[tuple[str, str], ...], place: Any) -> None:
    if table.entity in builder.wildcards:
        return
    made = Wildcard(table.entity, parts)
    known = builder.session.catalog_tables(made, builder.dialect)
    known.pop(table.name, None)
    if len(known) > MAX_CATALOG_TABLES:
        message = (
            f"{len(known):,} tables of the catalog fit {table.name[-1]}: only those that scripts name are followed"
        )
        builder.say(Code.MANY_TABLES, message, place, table.name[-1])
        known = {}
    builder.wildcards[table.entity] = made._replace(known=tuple(known.items()))
