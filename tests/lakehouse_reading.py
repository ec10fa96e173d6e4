"""Lakehouse tables as others read them: in DuckDB and by the formats' own libraries; and the queries of their page."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from headwater.graph import Graph

PAGE = Path(__file__).parent.parent / "docs" / "formats" / "lakehouse.md"
TABLES = ("relations", "columns", "tables", "processes", "statements", "diagnostics", "tags", "snapshots")


def queries() -> dict[str, str]:
    """The queries of the page, by their headings."""
    return dict(re.findall(r"^### (.+?)$.*?^```sql\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL))


def in_duckdb(format: str, place: Path, before: int | None = None) -> duckdb.DuckDBPyConnection:
    """A connection with the tables as views; and with `relations_before`, in that version."""
    connection = duckdb.connect(config={"autoinstall_known_extensions": "false"})
    for extension in ("avro", "iceberg") if format == "iceberg" else ("delta",):
        found = next(Path(str(files(f"duckdb_extension_{extension}"))).rglob("*.duckdb_extension"))
        connection.load_extension(str(found))
    for table in TABLES:
        connection.execute(f"CREATE VIEW {table} AS SELECT * FROM {format}_scan('{place / table}')")
    if before is not None:
        version = f"{'version' if format == 'delta' else 'snapshot_from_id'} => {before}"
        connection.execute(
            f"CREATE VIEW relations_before AS SELECT * FROM {format}_scan('{place / 'relations'}', {version})"
        )
    return connection


def by_library(format: str, place: str, table: str, version: int | None = None, **settings: str) -> pa.Table:
    """The rows of a table as the format's own library reads it, without any code of ours."""
    if format == "delta":
        from deltalake import DeltaTable

        return _plain(pa.table(DeltaTable(f"{place}/{table}", version=version, storage_options=settings).scan()))
    from pyiceberg.table import StaticTable

    return StaticTable.from_metadata(f"{place}/{table}", settings).scan(snapshot_id=version).to_arrow()


def _plain(table: pa.Table) -> pa.Table:
    """A table with texts of Arrow's usual type, which sorts and compares."""
    plain = {pa.string_view(): pa.string(), pa.list_(pa.field("element", pa.string_view())): pa.list_(pa.string())}
    return table.cast(pa.schema([(field.name, plain.get(field.type, field.type)) for field in table.schema]))


def rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[tuple[Any, ...]]:
    """The answer to a query."""
    return connection.execute(query).fetchall()


def versions(table: pa.Table) -> dict[tuple[str, str], int]:
    """What the table `snapshots` says: by snapshot and table the version."""
    return {(row["snapshot"], row["table_name"]): row["version"] for row in table.to_pylist()}


def answers_of(graph: Graph) -> dict[str, list[tuple[Any, ...]]]:
    """What the graph of a store answers to the queries of the page that are about one version."""
    return {
        "All sources of a column": _sources(graph),
        "What a table feeds": _fed(graph),
        "Columns that personal data reaches": _personal(graph),
        "Columns that nothing reads": _unread(graph),
    }


def _sources(graph: Graph) -> list[tuple[Any, ...]]:
    nodes = graph.upstream("marts.daily_revenue.net_revenue").nodes
    found = [(each.what.table.name, each.what.name, each.distance) for each in nodes if each.distance]
    return sorted(found, key=lambda row: (row[2], *row[:2]))


def _fed(graph: Graph) -> list[tuple[Any, ...]]:
    nodes = graph.downstream("raw.customers", flow="impact").nodes
    return sorted({(each.what.table.kind, each.what.table.name) for each in nodes} - {("table", "raw.customers")})


def _personal(graph: Graph) -> list[tuple[Any, ...]]:
    carried = graph.tags().columns(tags=["pii", "pii:masked"])
    return sorted((each.column.table.name, each.column.name, each.tag != "pii") for each in carried)


def _unread(graph: Graph) -> list[tuple[Any, ...]]:
    report = graph.unused()
    found = {(each.column.table.name, each.column.name) for each in report.columns if each.use == "none"}
    for table in report.tables:
        own = graph.upstream(table, depth=1).start
        found |= {(table.name, each.name) for each in own if not each.row_set}
    return sorted(found)
