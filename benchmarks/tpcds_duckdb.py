"""Print DuckDB's TPC-DS queries and schema as JSON; runs in the `duckdb` environment of `peers.py`."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import duckdb

QUERIES = "SELECT query_nr, query FROM tpcds_queries() ORDER BY query_nr"
COLUMNS = """
SELECT table_name, column_name, data_type FROM information_schema.columns ORDER BY table_name, ordinal_position
"""


def main() -> None:
    """Load the extension from its package (no download, no install), create empty tables, print."""
    connection = duckdb.connect()
    extension = next(Path(str(files("duckdb_extension_tpcds"))).rglob("*.duckdb_extension"))
    connection.load_extension(str(extension))
    connection.execute("CALL dsdgen(sf = 0)")
    schema: dict[str, dict[str, str]] = {}
    for table, column, kind in connection.execute(COLUMNS).fetchall():
        schema.setdefault(table, {})[column] = kind
    queries = [(f"q{number}", text) for number, text in connection.execute(QUERIES).fetchall()]
    print(json.dumps({"schema": schema, "queries": queries}))


if __name__ == "__main__":
    main()
