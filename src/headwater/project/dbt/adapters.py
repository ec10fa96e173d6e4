"""dbt's adapters and the dialects that they speak."""

from __future__ import annotations

from headwater.sql.dialect import UnknownDialect, dialect

_DIALECTS = {
    "alloydb": "postgres",
    "cloudera": "hive",
    "dremio": "ansi",
    "exasol": "ansi",
    "fabric": "tsql",
    "fabricspark": "spark",
    "glue": "spark",
    "greenplum": "postgres",
    "impala": "hive",
    "infer": "bigquery",
    "materialize": "postgres",
    "risingwave": "postgres",
    "singlestore": "mysql",
    "spark_cde": "spark",
    "sqlserver": "tsql",
    "starrocks": "mysql",
    "synapse": "tsql",
    "tidb": "mysql",
    "vertica": "postgres",
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
