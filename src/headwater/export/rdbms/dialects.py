"""The predefined rows of `sqlflow_dbobjects`: SQL dialects, with the guids of the model reference.

Its list gives 121 to 126 twice. The first six keep them; the later six (`snowflake` to `vertica`) have 130 to 135 here. Dialects that it
does not know follow.
"""

from __future__ import annotations

PARENT = "1"

DIALECTS = {
    "bigquery": "101",
    "couchbase": "102",
    "dax": "103",
    "db2": "104",
    "exasol": "105",
    "greenplum": "106",
    "hana": "107",
    "hive": "108",
    "impala": "109",
    "informix": "121",
    "mdx": "122",
    "mysql": "123",
    "netezza": "124",
    "odbc": "125",
    "openedge": "126",
    "oracle": "127",
    "postgresql": "128",
    "redshift": "129",
    "snowflake": "130",
    "sparksql": "131",
    "sqlserver": "132",
    "sybase": "133",
    "teradata": "134",
    "vertica": "135",
    "ansi": "136",
    "athena": "137",
    "clickhouse": "138",
    "duckdb": "139",
    "presto": "140",
    "sqlite": "141",
    "trino": "142",
    "generic": "143",
}
"""Guids by name."""
