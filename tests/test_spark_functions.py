"""Lineage for Spark users: of a DataFrame, from SQL, of files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import headwater

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

LOG = [
    (1, "INSERT INTO o SELECT a + b AS x FROM t WHERE c > 0"),
    (2, "SELECT * FROM"),
    (3, None),
    (4, "CREATE VIEW v AS SELECT a FROM t; DELETE FROM v WHERE a = 1"),
]


def test_a_frame_of_texts_is_a_frame_of_edges(spark: SparkSession) -> None:
    from headwater.spark import lineage_of

    frame = spark.createDataFrame(LOG, "id int, query string")
    found = lineage_of(frame, "query", keep=["id"]).collect()
    expected = set()
    for number, sql in LOG:
        for edge in headwater.analyze(sql).column_edges() if sql else ():
            expected.add((number, str(edge.source), str(edge.target), edge.type, edge.subtype))
    edges = {
        (
            r.id,
            f"{r.source_table}.{r.source_column}",
            ".".join(filter(None, (r.target_table, r.target_column))),
            r.type,
            r.subtype,
        )
        for r in found
        if r.diagnostic is None
    }
    assert edges == expected
    assert [(r.id, r.diagnostic.partition(":")[0]) for r in found if r.diagnostic] == [(2, "syntax-error")]


def test_dialect_and_schema_from_columns(spark: SparkSession) -> None:
    from headwater.spark import lineage_of

    rows = [("SELECT [a] FROM t", "tsql", "dbo"), ("SELECT a FROM t", None, None), ("SELECT a FROM t", "klingon", None)]
    frame = spark.createDataFrame(rows, "sql string, d string, s string")
    found = lineage_of(frame, dialect_column="d", default_schema_column="s", default_schema="main").collect()
    tables = [r.source_table for r in found if r.source_table and r.source_column == "a"]
    assert tables == ["dbo.t", "main.t"]
    assert [r.diagnostic for r in found if r.diagnostic and "klingon" in r.diagnostic]


def test_the_table_function_joins_laterally(spark: SparkSession) -> None:
    from headwater.spark import register

    register(spark)
    spark.createDataFrame(LOG, "id int, sql string").createOrReplaceTempView("query_log")
    rows = spark.sql(
        "SELECT q.id, l.source_column FROM query_log q, LATERAL column_lineage(q.sql) l WHERE l.target_column = 'x' AND l.type = 'fdd'"
    ).collect()
    assert sorted(map(tuple, rows)) == [(1, "a"), (1, "b")]


def test_files_are_a_data_source(spark: SparkSession, tmp_path: Path) -> None:
    from headwater.spark import register

    register(spark)
    (tmp_path / "a.sql").write_text("CREATE TABLE o AS SELECT a FROM t")
    (tmp_path / "b.py").write_text('spark.sql("INSERT INTO p SELECT b FROM o")')
    rows = (
        spark.read.format("headwater").option("defaultSchema", "db").load(str(tmp_path)).where("type = 'fdd'").collect()
    )
    shown = {
        (Path(r.path).name, f"{r.target_table}.{r.target_column}")
        for r in rows
        if r.subtype == "IDENTITY" and r.clause == "select"
    }
    assert shown == {("a.sql", "db.o.a"), ("b.py", "db.p.b")}


def test_no_row_of_an_arrow_table_is_lost(spark: SparkSession) -> None:
    import pyarrow as pa

    from headwater.runtime.arrow_frames import from_arrow, to_arrow

    schema = pa.schema([("id", pa.int64())])
    parts = [pa.table([ids], schema=schema) for ids in ([1, 2], [], [], [3], [])]
    table = pa.concat_tables(parts)
    assert [len(chunk) for chunk in table.column(0).chunks] == [2, 0, 0, 1, 0]
    assert sorted(to_arrow(from_arrow(spark, table)).column(0).to_pylist()) == [1, 2, 3]
    assert to_arrow(from_arrow(spark, schema.empty_table())).num_rows == 0
