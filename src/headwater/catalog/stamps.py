"""By what a database tells cheaply that a table has changed: a digest of what the catalog would say of it.

PostgreSQL and SQLite tell everything that is kept of a table or view. Of the others their information schema tells names, types and
order of columns: enough for tables, whose
comments and keys are then as old as the table's columns; a view may change without changing these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from headwater.catalog.queries import rows_about

if TYPE_CHECKING:
    from sqlalchemy import Connection

_INFORMATION_SCHEMA = """
    SELECT c.table_name, c.ordinal_position, c.column_name, c.data_type, c.is_nullable
    FROM information_schema.columns c
    JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
    WHERE c.table_schema = :schema AND t.table_type <> 'VIEW' AND c.table_name IN :names ORDER BY 1, 2"""
_QUERIES = {
    "postgresql": """
        SELECT c.relname, c.relkind::text, obj_description(c.oid, 'pg_class'),
            (SELECT string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::text,
                    col_description(c.oid, a.attnum)), ',' ORDER BY a.attnum)
                FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
            (SELECT string_agg(pg_get_constraintdef(k.oid), ',' ORDER BY k.conname)
                FROM pg_catalog.pg_constraint k WHERE k.conrelid = c.oid),
            CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = :schema AND c.relname IN :names""",
    "sqlite": "SELECT name, sql FROM {schema}.sqlite_master WHERE name IN :names",
    **dict.fromkeys(("mysql", "mariadb", "mssql", "duckdb", "snowflake", "trino"), _INFORMATION_SCHEMA),
}


def stamps_of(connection: Connection, platform: str, schema: str, names: Sequence[str]) -> Mapping[str, str]:
    """The stamps of some tables of a schema; none where the platform has no such query."""
    query = _QUERIES.get(platform)
    if query is None:
        return {}
    found: dict[str, list[str]] = defaultdict(list)
    for name, *told in rows_about(connection, query, schema, names):
        found[str(name)].append(repr(told))
    return {name: sha256("\n".join(told).encode()).hexdigest()[:16] for name, told in found.items()}
