"""The SQL of views: many with one query where the platform has one, else one by one; always as a statement that creates the view."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from headwater.catalog.description import MATERIALIZED_VIEW
from headwater.catalog.queries import rows_about
from headwater.model.entity import TableName
from headwater.sql.dialect import Dialect
from headwater.sql.source import source
from headwater.sql.split import pieces

if TYPE_CHECKING:
    from sqlalchemy import Connection, Inspector

_POSTGRES = """
    SELECT c.relname, pg_get_viewdef(c.oid) FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = :schema AND c.relkind IN ('v', 'm') AND c.relname IN :names"""
_INFORMATION_SCHEMA = """
    SELECT table_name, view_definition FROM information_schema.views
    WHERE table_schema = :schema AND table_name IN :names"""
_QUERIES = {
    "postgresql": _POSTGRES,
    "redshift": _POSTGRES,
    "mysql": _INFORMATION_SCHEMA,
    "mariadb": _INFORMATION_SCHEMA,
    "snowflake": _INFORMATION_SCHEMA,
    "trino": _INFORMATION_SCHEMA,
    "mssql": """
        SELECT v.name, m.definition FROM sys.views v JOIN sys.schemas s ON s.schema_id = v.schema_id
        JOIN sys.sql_modules m ON m.object_id = v.object_id WHERE s.name = :schema AND v.name IN :names""",
    "bigquery": "SELECT table_name, view_definition FROM {schema}.INFORMATION_SCHEMA.VIEWS WHERE table_name IN :names",
    "duckdb": """
        SELECT view_name, sql FROM duckdb_views()
        WHERE database_name = current_database() AND schema_name = :schema AND view_name IN :names""",
    "sqlite": "SELECT name, sql FROM {schema}.sqlite_master WHERE type = 'view' AND name IN :names",
}
_CREATES = re.compile(r"\s*(?:(?:--[^\n]*\n|/\*.*?\*/)\s*)*CREATE\b", re.IGNORECASE | re.DOTALL)


def definitions(
    connection: Connection, inspector: Inspector, platform: str, schema: str, names: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Views of a schema with their SQL, as the database has it; some may be missing."""
    from sqlalchemy.exc import NoSuchTableError

    query = _QUERIES.get(platform)
    if query is not None:
        for name, sql in rows_about(connection, query, schema, names):
            yield str(name), str(sql or "")
        return
    for name in names:
        try:
            yield name, str(inspector.get_view_definition(name, schema) or "")
        except (NotImplementedError, NoSuchTableError):
            continue


def creating(name: TableName, kind: str, sql: str, spoken: Dialect) -> str:
    """The statement that creates a view, without secrets, made of its query where that is all that the database keeps."""
    text = sql.strip()
    if text and not _CREATES.match(text):
        what = "MATERIALIZED VIEW" if kind == MATERIALIZED_VIEW else "VIEW"
        text = f"CREATE {what} {written(name, spoken)} AS\n{text}"
    found = pieces(source(text, spoken), spoken)
    return found[0].text.slice(0, len(text)) if found else text


def written(name: TableName, spoken: Dialect) -> str:
    """A name as SQL of a dialect writes it, in quotes."""
    opening, closing = str(spoken.grammar.IDENTIFIER_START), str(spoken.grammar.IDENTIFIER_END)
    return ".".join(f"{opening}{part.replace(closing, closing * 2)}{closing}" for part in name)
