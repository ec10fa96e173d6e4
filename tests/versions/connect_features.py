"""Each feature once under Spark Connect: starts a server, and prints a line for each: its name, a tab, `yes` or why not.

    python connect_features.py FOLDER

PySpark 3.5 comes without the server: Spark fetches it from Maven Central. The server runs in a process of its own, whose Python has
no headwater on its path: what its workers need is sent to them.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LOG = [(1, "INSERT INTO o SELECT a + b AS x FROM t WHERE c > 0"), (2, "SELECT * FROM")]
_SECONDS = 120


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
    port = _free_port()
    server = _server(folder, port)
    try:
        _wait(port, server, folder)
        from headwater.runtime.session import spark_session

        with spark_session(f"sc://127.0.0.1:{port}") as spark:
            for feature in FEATURES:
                try:
                    said = feature(spark, folder)
                except Exception as error:  # noqa: BLE001 - what fails is the answer
                    said = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
                print(f"{feature.__name__}\t{said}", flush=True)
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def _server(folder: Path, port: int) -> subprocess.Popen[bytes]:
    import pyspark

    from headwater.runtime.java import java_home

    home = Path(pyspark.__file__).parent
    settings = {
        "spark.connect.grpc.binding.port": port,
        "spark.sql.warehouse.dir": folder / "warehouse",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": 2,
    }
    listed = [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
    command = [home / "bin" / "spark-submit", "--master", "local[2,4]", *listed]
    if not any((home / "jars").glob("spark-connect_*.jar")):
        command += ["--packages", f"org.apache.spark:spark-connect_2.12:{pyspark.__version__}"]
    command += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"JAVA_HOME": str(java_home()), "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable}
    with (folder / "server.log").open("wb") as said:
        return subprocess.Popen(
            list(map(str, command)), cwd=folder, env=environment, stdout=said, stderr=said, start_new_session=True
        )


def _wait(port: int, server: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise SystemExit(f"the server does not start: {(folder / 'server.log').read_text()[-2000:]}")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


if __name__ == "__main__":
    main(Path(sys.argv[1]))
