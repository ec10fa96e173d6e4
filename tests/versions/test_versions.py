"""Each feature once, on the PySpark that is installed: `make versions` runs this file in an environment for each version.

It uses nothing of the other tests, because their packages are not in those environments. A feature that a version lacks is skipped, with
the reason; docs/spark.md has the same table, and `run_versions.py` compares the two.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from headwater.runtime.java import java_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SCRIPTS = {
    "stage.sql": "CREATE TABLE stage AS SELECT id, upper(name) AS name FROM source;\nINSERT INTO log SELECT id FROM stage",
    "mart.sql": "CREATE VIEW mart AS SELECT * FROM stage WHERE id > 0;\nSELECT name FROM mart",
}
LOG = [(1, "INSERT INTO o SELECT a + b AS x FROM t WHERE c > 0"), (2, "SELECT * FROM")]


@pytest.fixture(scope="module")
def session() -> Iterator[SparkSession]:
    from headwater.runtime.session import spark_session

    with spark_session("local[2]") as started:
        yield started


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in SCRIPTS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_build(session: SparkSession, folder: Path) -> None:
    from headwater.pipeline.corpus import Corpus, build

    first = build(Corpus([str(folder)]), folder / "lineage")
    assert (first.summary.scripts, first.summary.statements, first.summary.failed) == (2, 4, {})
    (folder / "mart.sql").write_text("CREATE VIEW mart AS SELECT name, id + 1 AS id FROM stage")
    again = build(Corpus([str(folder)]), folder / "lineage")
    assert (again.summary.statements, again.summary.reused) == (3, 2)
    assert _roots(folder / "lineage", "mart.name") == {"source.name"}


def test_build_from_a_log(session: SparkSession, folder: Path) -> None:
    from headwater.pipeline.corpus import Corpus, build
    from headwater.pipeline.read.logs import LogColumns

    rows = [("INSERT INTO o SELECT a FROM t", "ann", "2026-01-31 08:00:00")] * 3
    frame = session.createDataFrame(rows, "query string, who string, at string").selectExpr(
        "query", "who", "cast(at as timestamp) as at"
    )
    frame.write.parquet(str(folder / "log.parquet"))
    columns = LogColumns("query", user="who", time="at")
    built = build(Corpus([str(folder / "log.parquet")], log=columns), folder / "lineage")
    [script] = built.snapshot.table("scripts", ["seen", "first_seen", "users"]).to_pylist()
    assert (script["seen"], script["users"], script["first_seen"].year) == (3, ["ann"], 2026)


def test_session_catalog(session: SparkSession, folder: Path) -> None:
    from headwater.spark.session_catalog import SessionCatalog

    session.sql("CREATE DATABASE IF NOT EXISTS versions")
    try:
        session.sql(
            "CREATE TABLE versions.t (a int COMMENT 'first', s struct<x: array<string>, y: decimal(5, 2)>) USING parquet"
        )
        session.sql("CREATE VIEW versions.v AS SELECT a AS b FROM versions.t")
        with SessionCatalog(session).connected() as database:
            told = list(database.described(("versions",), {"t": "table", "v": "view"}, True))
        table, view = told
        assert [(c.name, c.type) for c in table.columns] == [
            ("a", "int"),
            ("s", "struct<x: array<string>, y: decimal(5, 2)>"),
        ]
        assert table.columns[0].comment == "first"
        assert "SELECT a AS b FROM versions.t" in view.sql
    finally:
        session.sql("DROP DATABASE versions CASCADE")


def test_catalyst_engine(session: SparkSession) -> None:
    import headwater

    sql = "INSERT INTO o SELECT a + b AS x FROM t WHERE c > 0; MERGE INTO o USING t ON o.x = t.a WHEN MATCHED THEN UPDATE SET x = t.b"
    schema = {"t": {"a": "int", "b": "int", "c": "int"}, "o": {"x": "int"}}
    lineage = headwater.analyze(sql, "spark", schema=schema, engine="catalyst")
    assert [d.message for d in lineage.diagnostics] == []
    assert {(str(e.source), str(e.target)) for e in lineage.column_edges() if e.type == "fdd"} >= {
        ("t.a", "o.x"),
        ("t.b", "o.x"),
    }


def test_capture(session: SparkSession, tmp_path: Path) -> None:
    from headwater.spark import capture

    session.sql("CREATE DATABASE IF NOT EXISTS captured")
    try:
        with capture(session, sink=tmp_path / "captured") as captured:
            made = session.range(3).selectExpr("id AS a")
            made.write.mode("overwrite").saveAsTable("captured.one")
            session.sql("CREATE TABLE captured.two USING parquet AS SELECT a + 1 AS b FROM captured.one")
            session.table("captured.two").write.parquet(str(tmp_path / "three"))
        types = [lineage.statements[0].resolution.process.type for lineage in captured.lineages()]
        assert types == ["Create Table", "Create Table", "Insert"]
        edges = {f"{e.target} <- {e.source}" for e in captured.column_edges() if e.type == "fdd"}
        assert "captured.two.b <- captured.one.a" in edges
        assert f"{tmp_path}/three.b <- captured.two.b" in edges
        assert list((tmp_path / "captured").iterdir())
    finally:
        session.sql("DROP DATABASE captured CASCADE")


def test_lineage_of(session: SparkSession) -> None:
    from headwater.spark import lineage_of

    rows = lineage_of(session.createDataFrame(LOG, "id int, query string"), "query", keep=["id"]).collect()
    assert _edges(rows) == {(1, "a"), (1, "b")}
    assert [(r.id, r.diagnostic.partition(":")[0]) for r in rows if r.diagnostic] == [(2, "syntax-error")]


def test_table_function(session: SparkSession) -> None:
    from headwater.spark import register

    register(session)
    session.createDataFrame(LOG, "id int, sql string").createOrReplaceTempView("versions_log")
    rows = session.sql("SELECT q.id, l.* FROM versions_log q, LATERAL column_lineage(q.sql) l").collect()
    assert _edges(rows) == {(1, "a"), (1, "b")}


def test_data_source(session: SparkSession, folder: Path) -> None:
    from headwater.runtime.versions import has_python_data_sources
    from headwater.spark import register

    if not has_python_data_sources():
        pytest.skip("PySpark 3.5 has no data sources in Python")
    register(session)
    rows = session.read.format("headwater").load(str(folder)).where("type = 'fdd'").collect()
    assert {(Path(r.path).name, r.target_column) for r in rows} >= {("stage.sql", "name"), ("mart.sql", "name")}


def test_whole_graph(session: SparkSession, folder: Path) -> None:
    from headwater.pipeline.corpus import Corpus, build
    from headwater.spark import WholeGraph

    build(Corpus([str(folder)]), folder / "lineage")
    pairs = WholeGraph(session, folder / "lineage").closure(names=True).collect()
    assert ("source", "name", "mart", "name") in {
        (r.source_table, r.source_column, r.target_table, r.target_column) for r in pairs
    }


def test_the_session_is_left_as_it_was(session: SparkSession, folder: Path) -> None:
    from headwater.pipeline.corpus import Corpus, build

    session.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    try:
        session.createDataFrame([("INSERT INTO o SELECT a FROM t",)], "sql string").createOrReplaceTempView("mine")
        built = build(Corpus(["table:mine"]), folder / "lineage")
        assert built.summary.statements == 1
        assert session.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
    finally:
        session.conf.set("spark.sql.session.timeZone", "UTC")


@pytest.fixture(scope="module")
def connect(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What works under Spark Connect: a server of its own and a client in another process; by feature, a text if it does not."""
    pytest.importorskip("grpc", reason="grpcio is not installed")
    own = (
        "SPARK_REMOTE",
        "SPARK_CONNECT_MODE_ENABLED",
        "SPARK_LOCAL_REMOTE",
        "PYSPARK_GATEWAY_PORT",
        "PYSPARK_GATEWAY_SECRET",
    )
    environment = {name: value for name, value in os.environ.items() if name not in own}
    environment["PYTHONPATH"] = str(ROOT / "src")
    made = tmp_path_factory.mktemp("connect")
    program = [sys.executable, str(HERE / "connect_features.py"), str(made)]
    ran = subprocess.run(program, env=environment, capture_output=True, text=True, timeout=400, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return dict(line.split("\t", 1) for line in ran.stdout.splitlines() if "\t" in line)


@pytest.mark.parametrize(
    "feature", ["build", "capture", "lineage_of", "table_function", "data_source", "session_catalog"]
)
def test_connect(connect: dict[str, str], feature: str) -> None:
    said = connect[feature]
    if said.startswith("skip "):
        pytest.skip(said.removeprefix("skip "))
    assert said == "yes"


@pytest.mark.long
@pytest.mark.parametrize("where", ["driver", "connect"])
def test_failing_programs(tmp_path: Path, where: str) -> None:
    """A program that fails does so in the same way with capture as without."""
    from connect_server import connect_server

    server = connect_server(tmp_path) if where == "connect" else nullcontext("")
    with server as address:
        without = _failures(tmp_path, "--remote", address)
        captured = _failures(tmp_path, "--remote", address, "--capture")
        at_once = _failures(tmp_path, "--remote", address, "--capture", "--at-once")
    assert all(each["type"] for each in without["before"].values()), without["before"]
    for when, programs in without.items():
        for name, seen in programs.items():
            assert captured[when][name] == seen, f"{name}, {when} capture"
            assert when == "before" or at_once[when][name] == seen, (
                f"{name}, {when} capture, which nothing failed before"
            )


@pytest.mark.long
@pytest.mark.parametrize("how", ["python", "spark-submit", "terminated", "connect"])
def test_capture_by_configuration(tmp_path: Path, how: str) -> None:
    """A program that knows nothing of headwater is captured, and ends as without."""
    import pyspark
    from connect_server import connect_server

    command = (
        [str(Path(pyspark.__file__).parent / "bin" / "spark-submit")] if how == "spark-submit" else [sys.executable]
    )
    end, code = {"python": ("leaves", 3), "spark-submit": ("exits", 3), "terminated": ("waits", -15)}.get(
        how, ("stops", 0)
    )
    with connect_server(tmp_path) if how == "connect" else nullcontext("") as address:
        words = [*command, str(HERE / "unchanged_program.py"), str(tmp_path), end, *([address] if address else [])]
        with subprocess.Popen(words, env=_capturing(tmp_path), stdout=subprocess.PIPE, text=True) as program:
            assert program.stdout is not None
            for line in program.stdout:
                if line == "ready\n" and how == "terminated":
                    program.terminate()
    assert program.returncode == code
    assert _jobs(tmp_path / "captured") == {("one", ""), ("two", "one"), ("three", "two")}


def _capturing(folder: Path) -> dict[str, str]:
    own = ("SPARK_", "PYSPARK_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    path = [str(ROOT / "src" / "headwater_autostart" / "path"), str(ROOT / "src")]
    environment |= {
        "PYTHONPATH": os.pathsep.join(path),
        "JAVA_HOME": str(java_home()),
        "PYSPARK_PYTHON": sys.executable,
    }
    return environment | {"HEADWATER_CAPTURE": str(folder / "captured")}


def _jobs(folder: Path) -> set[tuple[str, str]]:
    """What was written of which files; queries apart."""
    found = set()
    for line in (line for file in folder.iterdir() for line in file.read_text().splitlines()):
        job = json.loads(line).get("job") or {"written": []}
        assert job.get("diagnostics", []) == []
        for target in job["written"]:
            names = [Path(each["name"][0]).name for each in job["entities"]]
            found |= {(names[target], names[source]) for source in job["read"]} or {(names[target], "")}
    return found


def _failures(folder: Path, *options: str) -> dict[str, dict[str, Any]]:
    """What users see of programs that fail, in three rounds."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "JAVA_HOME": str(java_home())}
    program = [sys.executable, str(HERE / "failing_programs.py"), str(folder), *options]
    ran = subprocess.run(program, env=environment, capture_output=True, text=True, timeout=400, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    found: dict[str, dict[str, Any]] = json.loads(ran.stdout.splitlines()[-1])
    return found


def _edges(rows: list[Any]) -> set[tuple[int, str]]:
    return {(r.id, r.source_column) for r in rows if r.target_column == "x" and r.type == "fdd"}


def _roots(store: Path, column: str) -> set[str]:
    import headwater

    return {str(each) for each in headwater.open(store).roots(column)}
