"""Each feature once under Spark Connect: starts a server, and prints a line for each: its name, a tab, `yes` or why not.

    python connect_features.py FOLDER

The server's Python has no headwater on its path: what its workers need is sent to them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from connect_server import connect_server

LOG = [(1, "INSERT INTO o SELECT a + b AS x FROM t WHERE c > 0"), (2, "SELECT * FROM")]


def build(spark: Any, folder: Path) -> str:
    from headwater.pipeline.corpus import Corpus
    from headwater.pipeline.corpus import build as run

    spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    (folder / "sql").mkdir()
    (folder / "sql" / "a.sql").write_text("CREATE TABLE o AS SELECT a FROM t; CREATE VIEW v AS SELECT * FROM o")
    built = run(Corpus([str(folder / "sql")]), folder / "lineage")
    assert (built.summary.statements, built.summary.failed) == (2, {}), built.summary
    (folder / "sql" / "a.sql").write_text("CREATE TABLE o AS SELECT a FROM t; CREATE VIEW w AS SELECT * FROM o")
    again = run(Corpus([str(folder / "sql")]), folder / "lineage")
    assert (again.summary.statements, again.summary.reused) == (2, 1), again.summary
    assert spark.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
    return "yes"


def capture(spark: Any, folder: Path) -> str:
    from headwater.spark import capture as recording

    spark.range(3).selectExpr("id AS a").write.parquet(str(folder / "in"))
    with recording(spark) as captured:
        changed = spark.read.parquet(str(folder / "in")).selectExpr("a + 1 AS b")
        changed.select("*").write.parquet(str(folder / "out"))
        changed.createOrReplaceTempView("changed")
        spark.sql("CREATE TABLE default.kept USING parquet AS SELECT b AS c FROM changed")
    spark.sql("DROP TABLE default.kept")
    edges = {f"{e.target} <- {e.source}" for e in captured.column_edges() if e.type == "fdd"}
    assert edges == {f"{folder}/out.b <- {folder}/in.a", f"default.kept.c <- {folder}/in.a"}, (
        edges,
        captured.diagnostics,
    )
    return "yes"


def lineage_of(spark: Any, folder: Path) -> str:
    from headwater.spark import lineage_of as traced

    rows = traced(spark.createDataFrame(LOG, "id int, query string"), "query", keep=["id"]).collect()
    assert {(r.id, r.source_column) for r in rows if r.target_column == "x" and r.type == "fdd"} == {(1, "a"), (1, "b")}
    return "yes"


def table_function(spark: Any, folder: Path) -> str:
    from headwater.spark import register

    register(spark)
    spark.createDataFrame(LOG, "id int, sql string").createOrReplaceTempView("a_log")
    rows = spark.sql("SELECT q.id, l.* FROM a_log q, LATERAL column_lineage(q.sql) l").collect()
    assert {(r.id, r.source_column) for r in rows if r.target_column == "x" and r.type == "fdd"} == {(1, "a"), (1, "b")}
    return "yes"


def data_source(spark: Any, folder: Path) -> str:
    from headwater.runtime.versions import has_python_data_sources
    from headwater.spark import register

    if not has_python_data_sources():
        return "skip PySpark 3.5 has no data sources in Python"
    register(spark)
    (folder / "files").mkdir()
    (folder / "files" / "a.sql").write_text("CREATE TABLE o AS SELECT a FROM t")
    rows = spark.read.format("headwater").load(str(folder / "files")).where("type = 'fdd'").collect()
    assert {(r.target_column, r.source_column) for r in rows} == {("a", "a")}, rows
    return "yes"


def session_catalog(spark: Any, folder: Path) -> str:
    from headwater.spark.session_catalog import SessionCatalog

    spark.sql("CREATE TABLE default.of_connect (a int) USING parquet")
    try:
        with SessionCatalog(spark).connected() as database:
            [told] = database.described(("default",), {"of_connect": "table"}, True)
        assert [(c.name, c.type) for c in told.columns] == [("a", "int")]
    finally:
        spark.sql("DROP TABLE default.of_connect")
    return "yes"


FEATURES: list[Callable[[Any, Path], str]] = [build, capture, lineage_of, table_function, data_source, session_catalog]


def main(folder: Path) -> None:
    from headwater.runtime.session import spark_session

    with connect_server(folder) as address, spark_session(address) as spark:
        for feature in FEATURES:
            try:
                said = feature(spark, folder)
            except Exception as error:  # noqa: BLE001 - what fails is the answer
                said = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
            print(f"{feature.__name__}\t{said}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
