"""dbt's adapters and the dialects that they speak."""

from __future__ import annotations

from headwater.sql.dialect import UnknownDialect, dialect

_DIALECTS = {
    "alloydb": "postgres",
    "cloudera": "hive",
    "fabricspark": "spark",
    "glue": "spark",
    "infer": "bigquery",
    "spark_cde": "spark",
    "sqlserver": "tsql",
    "synapse": "tsql",
    "tidb": "mysql",
    "yellowbrick": "postgres",
    "ibmdb2": "db2",
}
"""Adapters whose names are not those of our dialects."""


def dialect_of_adapter(adapter: str) -> str | None:
    """The dialect that an adapter's SQL is written in; None if nobody knows.

    >>> dialect_of_adapter("sqlserver")
    'tsql'
    """
    try:
        return dialect(_DIALECTS.get(adapter, adapter)).name if adapter else None
    except UnknownDialect:
        return None


def adapter_of_dialect(name: str) -> str:
    """The adapter of a dialect.

    >>> adapter_of_dialect("tsql")
    'sqlserver'
    """
    return {"tsql": "sqlserver", "ansi": "postgres"}.get(name, name)
