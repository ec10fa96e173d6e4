"""The Catalyst engine: what it needs, what it never does, what it says when Spark refuses."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import headwater
from command import Result, Run, write
from headwater.model.diagnostic import Code

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

SCHEMA = {
    "t": {"a": "int", "b": "string", "s": "struct<x:int,y:string>"},
    "u": {"a": "int", "k": "string"},
}
SCRIPT = """
CREATE TABLE made AS SELECT a, count(*) AS n FROM t GROUP BY a;
CREATE TEMPORARY VIEW v AS SELECT s.x, s.y FROM t;
INSERT INTO made SELECT x, 1 FROM v;
MERGE INTO u USING v ON u.a = v.x WHEN MATCHED THEN UPDATE SET k = v.y WHEN NOT MATCHED THEN INSERT (a, k) VALUES (v.x, v.y);
UPDATE u SET k = upper(k) WHERE a > 0;
DELETE FROM u WHERE a IN (SELECT x FROM v);
SELECT u.*, made.n FROM u LEFT JOIN made USING (a);
"""


def _catalyst(sql: str, **options: object) -> headwater.Lineage:
    return headwater.analyze(sql, **{"schema": SCHEMA, "engine": "catalyst", **options})  # type: ignore[arg-type]


def _edges(lineage: headwater.Lineage) -> set[str]:
    return {f"{e.target} <- {e.source}" for e in lineage.column_edges(rows="none")}


def test_a_script_has_the_same_processes_tables_and_edges(spark: SparkSession) -> None:
    static, catalyst = headwater.analyze(SCRIPT, schema=SCHEMA), _catalyst(SCRIPT)
    assert catalyst.diagnostics == []
    for ours, theirs in zip(static.statements, catalyst.statements, strict=True):
        assert theirs.resolution.process == ours.resolution.process
        assert theirs.resolution.process.span == ours.resolution.process.span
    assert set(catalyst.column_edges()) == set(static.column_edges())
    assert catalyst.table_edges() == static.table_edges()
    assert (catalyst.sources, catalyst.targets) == (static.sources, static.targets)


def test_what_a_statement_makes_has_its_types_in_the_next_one(spark: SparkSession) -> None:
    lineage = _catalyst(
        "CREATE TABLE m AS SELECT s, array(s) AS l FROM t; SELECT s.x, e.y FROM m LATERAL VIEW explode(l) AS e"
    )
    assert lineage.diagnostics == []
    assert dict(lineage.statements[0].resolution.defines[0].columns or {}) == {
        "s": "struct<x:int,y:string>",
        "l": "array<struct<x:int,y:string>>",
    }
    assert {"x <- m.s.x", "y <- m.l.y"} <= _edges(lineage)


def test_nothing_is_run(spark: SparkSession, folder: Path) -> None:
    before = spark.catalog.listTables(), spark.catalog.listDatabases()
    lineage = _catalyst(
        "EXECUTE IMMEDIATE 'CREATE TABLE boom AS SELECT 1 AS a';\n"
        "BEGIN CREATE TABLE bang AS SELECT a FROM t; INSERT INTO bang SELECT a FROM u; END;\n"
        "CREATE DATABASE nowhere; DROP TABLE t; CACHE TABLE c AS SELECT a FROM u; SET spark.sql.ansi.enabled = true"
    )
    assert [d.code for d in lineage.diagnostics if d.code is Code.ENGINE_FALLBACK] == [Code.ENGINE_FALLBACK]
    assert {"bang.a <- t.a", "bang.a <- u.a", "c.a <- u.a"} <= _edges(lineage)
    assert (spark.catalog.listTables(), spark.catalog.listDatabases()) == before
    assert list(folder.iterdir()) == []


def test_the_users_own_tables_and_views_are_known(spark: SparkSession) -> None:
    spark.createDataFrame([(1, "x")], "id int, name string").createOrReplaceTempView("mine")
    try:
        lineage = _catalyst("INSERT INTO elsewhere SELECT * FROM mine")
        assert lineage.diagnostics == []
        assert _edges(lineage) == {"elsewhere.id <- mine.id", "elsewhere.name <- mine.name"}
    finally:
        spark.catalog.dropTempView("mine")


def test_declared_tables_have_no_older_versions(spark: SparkSession) -> None:
    lineage = _catalyst(
        "INSERT INTO o SELECT a FROM t VERSION AS OF 5 WHERE b > '';\n"
        "INSERT INTO o SELECT k AS a FROM u FOR TIMESTAMP AS OF date_sub(current_date(), 1) AS old WHERE old.a > 0"
    )
    assert lineage.diagnostics == []
    assert _edges(lineage) == {"o.a <- t.a", "o.a <- u.k"}


def test_the_rest_of_a_moment_is_refused_not_misread(spark: SparkSession) -> None:
    lineage = _catalyst("INSERT INTO o SELECT a FROM t TIMESTAMP AS OF current_date() - INTERVAL 1 DAY")
    assert [d.code for d in lineage.diagnostics] == [Code.ENGINE_FALLBACK]


def test_a_with_may_stand_around_a_merge(spark: SparkSession) -> None:
    lineage = _catalyst(
        "WITH v AS (SELECT a, b FROM t) MERGE INTO u USING v ON u.a = v.a WHEN MATCHED THEN UPDATE SET k = v.b"
    )
    assert lineage.diagnostics == []
    assert "u.k <- t.b" in _edges(lineage)


def test_schema_evolution_adds_what_only_the_source_has(spark: SparkSession) -> None:
    merge = "INTO u USING t ON u.a = t.a WHEN NOT MATCHED THEN INSERT *"
    wide = {**SCHEMA, "t": {**SCHEMA["t"], "k": "string"}}
    grown = _catalyst(f"MERGE WITH SCHEMA EVOLUTION {merge}", schema=wide)
    assert grown.diagnostics == []
    assert {"u.a <- t.a", "u.k <- t.k", "u.b <- t.b", "u.s <- t.s"} <= _edges(grown)
    assert "u.b <- t.b" not in _edges(_catalyst(f"MERGE {merge}", schema=wide))


def test_a_path_is_written_as_a_path(spark: SparkSession) -> None:
    lineage = _catalyst("INSERT INTO delta.`/lake/o` SELECT a FROM t")
    assert lineage.diagnostics == []
    assert _edges(lineage) == {"/lake/o.a <- t.a"}


def test_what_spark_refuses_is_answered_by_the_static_engine_and_said(spark: SparkSession) -> None:
    lineage = _catalyst("INSERT INTO o SELECT a, nobody FROM t; INSERT INTO o SELECT a FROM nowhere")
    said = [d for d in lineage.diagnostics if d.code is Code.ENGINE_FALLBACK]
    assert ["[UNRESOLVED_COLUMN" in said[0].message, "[TABLE_OR_VIEW_NOT_FOUND" in said[1].message] == [True, True]
    assert all("static engine" in d.message and "\n" not in d.message for d in said)
    assert {"o.a <- t.a", "o.a <- nowhere.a"} <= _edges(lineage)


def test_a_refusal_holds_no_secret(spark: SparkSession, capfd: pytest.CaptureFixture[str]) -> None:
    lineage = _catalyst("SELECT nobody('password=hunter2'), a FROM t WHERE b = 'password=hunter2' AND nothing > 0")
    shown = str(lineage.diagnostics) + lineage.to("json") + "".join(capfd.readouterr())
    assert Code.ENGINE_FALLBACK in {d.code for d in lineage.diagnostics}
    assert "hunter2" not in shown


def test_a_literal_holds_no_secret(spark: SparkSession) -> None:
    lineage = _catalyst("SELECT 'password=hunter2' AS p, concat(b, 'token=hunter2') FROM t")
    assert lineage.diagnostics == []
    assert "hunter2" not in lineage.to("json") + str(lineage.statements[0].model)


def test_a_default_schema_qualifies_as_everywhere(spark: SparkSession) -> None:
    sql = "USE raw; INSERT INTO o SELECT a FROM t; INSERT INTO dwh.o SELECT a FROM raw.t"
    lineage = _catalyst(sql, schema={"raw.t": {"a": "int"}})
    assert lineage.diagnostics == []
    assert _edges(lineage) == {"raw.o.a <- raw.t.a", "dwh.o.a <- raw.t.a"}


def test_names_may_have_three_parts(spark: SparkSession) -> None:
    schema = {"main.raw.t": {"a": "int"}, "other.raw.t": {"a": "int", "b": "string"}}
    lineage = _catalyst(
        "INSERT INTO main.dwh.o SELECT main.raw.t.a, x.b FROM main.raw.t JOIN Other.`raw`.t AS x ON x.a = main.raw.t.a",
        schema=schema,
    )
    assert lineage.diagnostics == []
    assert _edges(lineage) == {"main.dwh.o.a <- main.raw.t.a", "main.dwh.o.b <- other.raw.t.b"}


def test_a_statement_without_lineage_is_not_spoken_of(spark: SparkSession) -> None:
    sql = "USE CATALOG main; GRANT SELECT ON t TO x; OPTIMIZE t; CREATE TABLE n (a INT); DROP TABLE n"
    assert _catalyst(sql, dialect="databricks").diagnostics == []


def test_other_dialects_are_refused() -> None:
    with pytest.raises(ValueError, match="spark and databricks SQL, not snowflake"):
        _catalyst("SELECT 1", dialect="snowflake")


def test_the_command_takes_the_engine(spark: SparkSession, run: Run, folder: Path) -> None:
    write("load.sql", "INSERT INTO o SELECT a FROM t")
    static = run("analyze", "load.sql", "--schema", '{"t": {"a": "int"}}')
    catalyst = run("analyze", "load.sql", "--schema", '{"t": {"a": "int"}}', "--engine", "catalyst")
    assert catalyst == static
    assert catalyst.code == 0


def test_the_configuration_takes_the_engine(spark: SparkSession, run: Run, folder: Path) -> None:
    write("headwater.toml", 'engine = "catalyst"')
    write("load.sql", "INSERT INTO o SELECT a FROM t")
    result = run("analyze", "load.sql")
    assert result.code == 1
    assert "engine-fallback" in result.err


@pytest.mark.parametrize("command", ["analyze", "check"])
def test_without_pyspark_it_cannot_run(command: str, run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from headwater.analyzers.catalyst import session

    monkeypatch.setattr(session, "_RUNNING", [])
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    write("load.sql", "SELECT 1 AS a")
    result = run(command, "load.sql", "--engine", "catalyst") if command == "analyze" else _check(run)
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert "PySpark is not installed" in result.err


def _check(run: Run) -> Result:
    write("headwater.toml", 'engine = "catalyst"')
    return run("check", "load.sql")
