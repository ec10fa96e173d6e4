"""Builds: a corpus to a store, compared with the core statement by statement, and with itself."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import headwater
from build_process import write_scripts
from headwater.analysis import analyze_files
from headwater.cli.demo import sample_warehouse
from headwater.pipeline import build as building
from headwater.pipeline.build import Built
from headwater.pipeline.corpus import Corpus, build
from headwater.pipeline.read.inputs import NothingToRead
from headwater.pipeline.read.logs import LogColumns
from headwater.store import Snapshot, Store, StoreError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]


@pytest.fixture(autouse=True)
def _one_session(spark: SparkSession) -> None:
    """Builds take the session that is there."""


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Path]:
    """A folder of its own to work in."""
    before = Path.cwd()
    os.chdir(tmp_path)
    yield tmp_path
    os.chdir(before)


def written(folder: Path, scripts: dict[str, str]) -> None:
    for name, text in scripts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def built(*paths: str, output: str = "lineage", catalog: Any = None, **options: Any) -> Built:
    return build(Corpus(paths or ("sql",), **options), output, catalog=catalog)


def edges(snapshot: Snapshot) -> set[tuple[str, str, str, str | None]]:
    """`source -> target`, type and subtype, of everything that is no row set."""
    names = {r["entity_id"]: r["name"] for r in snapshot.table("entities").to_pylist()}
    columns = {r["column_id"]: f"{names[r['entity_id']]}.{r['name']}" for r in snapshot.table("columns").to_pylist()}
    found = snapshot.table("relations").to_pylist()
    rows = [(columns[r["source_id"]], columns[r["target_id"]], r["type"], r["subtype"]) for r in found]
    return {row for row in rows if "PseudoRows" not in row[0] + row[1]}


def pairs(snapshot: Snapshot) -> set[str]:
    return {f"{source} -> {target}" for source, target, kind, _ in edges(snapshot) if kind == "fdd"}


def test_the_sample_warehouse_is_what_the_core_says(here: Path) -> None:
    folder = sample_warehouse()
    snapshot = built(str(folder), dialect="spark").snapshot
    expected = set()
    for lineage in analyze_files(sorted(folder.rglob("*.sql")), "spark"):
        for e in lineage.column_edges(rows="none"):
            target = str(e.target) if e.target.table else f"query_{e.process.query_hash[:12]}.{e.target.column}"
            expected.add((str(e.source), target, e.type, e.subtype))
    assert edges(snapshot) == expected
    assert snapshot.table("diagnostics").num_rows == 0


def test_a_star_over_tables_that_other_scripts_define_later_by_path(here: Path) -> None:
    chain = {f"sql/{9 - n}.sql": f"CREATE VIEW db.v{n + 1} AS SELECT * FROM db.v{n}" for n in range(9)}
    written(here, chain | {"sql/z.sql": "CREATE TABLE db.v0 (a int, b string)"})
    result = built()
    assert {f"db.v{n}.{c} -> db.v{n + 1}.{c}" for n in range(9) for c in "ab"} == pairs(result.snapshot)
    assert result.summary.failed == {}


def test_a_key_that_is_added_in_an_earlier_file_than_the_table_is_no_circle(here: Path) -> None:
    keys = (
        "ALTER TABLE db.t ADD PRIMARY KEY (id); ALTER TABLE db.t ADD CONSTRAINT k FOREIGN KEY (u) REFERENCES db.u (id)"
    )
    written(
        here,
        {"sql/constraint.sql": keys, "sql/create.sql": "CREATE TABLE db.t (id INT, u INT); CREATE TABLE db.u (id INT)"},
    )
    result = built()
    assert result.summary.circles == 0


def test_a_circle_is_opened_and_nothing_is_lost(here: Path) -> None:
    written(here, {"sql/a.sql": "CREATE VIEW a AS SELECT x FROM b", "sql/b.sql": "CREATE VIEW b AS SELECT x FROM a"})
    result = built()
    assert pairs(result.snapshot) == {"b.x -> a.x", "a.x -> b.x"}
    assert result.summary.circles == 1


def test_temporary_tables_belong_to_their_script(here: Path) -> None:
    one = "CREATE TEMP VIEW t AS SELECT {0} FROM s; CREATE TABLE {1} AS SELECT * FROM t"
    written(here, {"sql/a.sql": one.format("a", "oa"), "sql/b.sql": one.format("b", "ob")})
    snapshot = built().snapshot
    assert pairs(snapshot) == {"s.a -> t.a", "t.a -> oa.a", "s.b -> t.b", "t.b -> ob.b"}
    entities = [r for r in snapshot.table("entities").to_pylist() if r["name"] == "t"]
    assert len(entities) == 2
    assert all(r["temporary"] for r in entities)


def test_marked_tables_belong_to_their_script(here: Path) -> None:
    one = "SELECT {0} INTO #t FROM dbo.s; SELECT * INTO dbo.{1} FROM #t"
    written(here, {"sql/a.sql": one.format("a", "oa"), "sql/b.sql": one.format("b", "ob")})
    found = pairs(built(dialect="tsql").snapshot)
    assert found == {"dbo.s.a -> #t.a", "#t.a -> dbo.oa.a", "dbo.s.b -> #t.b", "#t.b -> dbo.ob.b"}


def test_marked_tables_belong_to_their_procedure(here: Path) -> None:
    one = "CREATE PROCEDURE {0} AS\nSELECT {0} AS a INTO #t FROM s\nSELECT * INTO o{0} FROM #t\nGO\n"
    written(here, {"sql/a.sql": one.format("p") + one.format("q") + "CREATE PROCEDURE r AS SELECT * INTO o FROM #t"})
    snapshot = built(dialect="tsql").snapshot
    assert len([r for r in snapshot.table("entities").to_pylist() if r["name"] == "#t"]) == 3
    assert pairs(snapshot) == {"s.p -> #t.a", "s.q -> #t.a", "#t.a -> op.a", "#t.a -> oq.a", "#t.* -> o.*"}


def test_a_table_that_scripts_define_differently(here: Path) -> None:
    one = "CREATE OR REPLACE TABLE t AS SELECT {0} FROM s; CREATE TABLE {1} AS SELECT * FROM t"
    written(here, {"sql/a.sql": one.format("a", "oa"), "sql/b.sql": one.format("b", "ob")})
    written(here, {"sql/c.sql": "CREATE TABLE oc AS SELECT * FROM t"})
    found = pairs(built().snapshot)
    assert found == {"s.a -> t.a", "t.a -> oa.a", "s.b -> t.b", "t.b -> ob.b", "t.b -> oc.b"}


def test_use_and_alter_reach_as_far_as_they_do(here: Path) -> None:
    written(
        here,
        {
            "sql/a.sql": "CREATE TABLE d.t (a int); ALTER TABLE d.t ADD COLUMN b int",
            "sql/b.sql": "USE d; CREATE TABLE o AS SELECT * FROM t; USE e; CREATE TABLE o AS SELECT * FROM d.o",
        },
    )
    found = pairs(built().snapshot)
    assert found == {"d.t.a -> d.o.a", "d.t.b -> d.o.b", "d.o.a -> e.o.a", "d.o.b -> e.o.b"}


def test_a_field_comes_from_what_makes_the_whole(here: Path) -> None:
    written(
        here,
        {
            "sql/a.sql": "CREATE TABLE s.o AS SELECT from_json(j, 'array<struct<qty int>>') AS items FROM raw.o",
            "sql/b.sql": "CREATE TABLE m.t AS SELECT s.o.items.qty AS qty FROM s.o",
        },
    )
    built()
    graph = headwater.open("lineage")
    assert {str(c.what) for c in graph.upstream("m.t.qty").columns()} == {"s.o.items.qty", "s.o.items", "raw.o.j"}
    assert "m.t.qty" in {str(c.what) for c in graph.downstream("raw.o.j").columns()}


def test_functions_of_other_scripts_are_looked_into(here: Path) -> None:
    function = "CREATE FUNCTION full_name(f STRING, l STRING) RETURNS STRING RETURN concat(f, l)"
    written(here, {"sql/f.sql": function, "sql/a.sql": "CREATE TABLE o AS SELECT full_name(a, b) AS n FROM t"})
    assert pairs(built().snapshot) == {"t.a -> o.n", "t.b -> o.n"}


PROCEDURES = """CREATE PROCEDURE dbo.load_sales @d date AS
BEGIN
  INSERT INTO dbo.sales (id, amount, loaded_for) SELECT id, amount, @d FROM dbo.stg WHERE day = @d
END
GO
CREATE FUNCTION dbo.net (@x money) RETURNS money AS
BEGIN
  DECLARE @r money
  SELECT @r = max(rate) FROM dbo.rates
  RETURN @x * @r
END
"""
CALLS = """DECLARE @day date
SELECT @day = max(d) FROM dbo.calendar
EXEC dbo.load_sales @day
GO
INSERT INTO dbo.report (total) SELECT dbo.net(amount) FROM dbo.sales
"""


def test_routines_of_other_scripts_are_called(here: Path) -> None:
    """What they do travels like a definition, whatever the order of the scripts; a second build without changes is the same."""
    written(here, {"sql/a.sql": CALLS, "sql/z.sql": PROCEDURES})
    first = built(dialect="tsql")
    expected = {"id", "amount"}
    assert pairs(first.snapshot) == {f"dbo.stg.{c} -> dbo.sales.{c}" for c in expected} | {
        "dbo.calendar.d -> dbo.sales.loaded_for",
        "dbo.sales.amount -> dbo.report.total",
        "dbo.rates.rate -> dbo.report.total",
    }
    procedures = {r["procedure"] for r in first.snapshot.table("processes").to_pylist()}
    assert {"dbo.load_sales", "dbo.net", "batchQueries"} <= procedures
    assert pairs(built(dialect="tsql").snapshot) == pairs(first.snapshot)


def test_a_package_in_two_scripts(here: Path) -> None:
    """The body knows what the specification declares."""
    specification = "CREATE PACKAGE etl IS g NUMBER; CURSOR c IS SELECT a FROM t; END;"
    body = """CREATE PACKAGE BODY etl IS
      PROCEDURE run IS BEGIN FOR r IN c LOOP INSERT INTO o (x) VALUES (r.a); END LOOP; END;
    END;"""
    written(here, {"sql/a_body.sql": body, "sql/z_head.sql": specification})
    assert pairs(built(dialect="oracle").snapshot) == {"T.A -> O.X"}


def test_a_log_counts_and_shares(here: Path, spark: SparkSession) -> None:
    rows = [
        (f"SELECT a FROM t WHERE b = {n % 7}", ("ann", "bob")[n % 2], f"2026-01-{n % 28 + 1:02d} 00:00:00", "db")
        for n in range(100)
    ]
    frame = spark.createDataFrame(
        [*rows, (None, None, None, None), ("  ", "x", None, None)], "q string, u string, t string, d string"
    )
    frame.coalesce(1).write.parquet(str(here / "log.parquet"))
    result = built("log.parquet", log=LogColumns(sql="q", user="u", time="t", default_schema="d"))
    (process,) = result.snapshot.table("processes").to_pylist()
    assert (process["seen"], process["users"]) == (100, ["ann", "bob"])
    assert (process["first_seen"].day, process["last_seen"].day) == (1, 28)
    assert result.summary.distinct == 1
    assert result.summary.statements == 100
    assert len({r["query_hash"] for r in result.snapshot.table("statements").to_pylist()}) == 7


def logged(spark: SparkSession, folder: Path, *rows: tuple[str, str, str]) -> None:
    frame = spark.createDataFrame(list(rows), "session string, time string, sql string")
    frame.repartition(3).write.parquet(str(folder / "log.parquet"))


def test_a_session_keeps_what_is_temporary_to_itself(here: Path, spark: SparkSession) -> None:
    read = "INSERT INTO o SELECT * FROM v"
    logged(
        spark,
        here,
        ("one", "2026-01-01 10:00:00", "CREATE TEMPORARY VIEW v AS SELECT a FROM t; "),
        ("one", "2026-01-01 10:00:01", read),
        ("two", "2026-01-01 09:00:01", read + " -- the other one"),
        ("two", "2026-01-01 09:00:00", "CREATE TEMPORARY VIEW v AS SELECT b FROM u"),
        ("three", "2026-01-01 11:00:00", "INSERT INTO p SELECT c FROM v"),
    )
    snapshot = built("log.parquet", log=LogColumns(session="session", time="time")).snapshot
    persistent = {pair for pair in pairs(snapshot) if pair.endswith((" o.a", " o.b", " p.c"))}
    assert persistent == {"v.a -> o.a", "v.b -> o.b", "v.c -> p.c"}
    named = [entity["temporary"] for entity in snapshot.table("entities").to_pylist() if entity["name"] == "v"]
    assert sorted(named) == [False, True, True]
    assert len(snapshot.table("scripts")) == 3
    assert sum(row["seen"] for row in snapshot.table("statements").to_pylist()) == 5


def test_in_a_log_the_last_definition_is_in_force(here: Path, spark: SparkSession) -> None:
    logged(
        spark,
        here,
        ("1", "2026-01-03 00:00:00", "CREATE OR REPLACE TABLE m AS SELECT a FROM t"),
        ("1", "2026-01-01 00:00:00", "CREATE OR REPLACE TABLE m AS SELECT b FROM t"),
        ("1", "2026-01-02 00:00:00", "CREATE OR REPLACE TABLE m AS SELECT c FROM t"),
        ("2", "2026-01-01 00:00:00", "INSERT INTO o SELECT * FROM m"),
    )
    assert "m.a -> o.a" in pairs(built("log.parquet", log=LogColumns(time="time")).snapshot)


def test_the_same_text_in_another_schema_is_another_thing(here: Path, spark: SparkSession) -> None:
    written(here, {"sql/t.sql": "CREATE TABLE x.t (a int); CREATE TABLE y.t (b int)"})
    spark.createDataFrame([("SELECT * FROM t", "x"), ("SELECT * FROM t", "y")], "sql string, d string").write.parquet(
        str(here / "log.parquet")
    )
    found = pairs(built("sql", "log.parquet", log=LogColumns(default_schema="d")).snapshot)
    assert {pair.partition(" -> ")[0] for pair in found} == {"x.t.a", "y.t.b"}


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_logs_of_other_formats(here: Path, spark: SparkSession, ending: str) -> None:
    frame = spark.createDataFrame([('SELECT "a",\n b FROM t',), ("SELECT c FROM u",)], "sql string")
    frame.coalesce(1).write.format(ending).option("header", True).option("escape", '"').save(
        str(here / f"log.{ending}")
    )
    result = built(f"log.{ending}", dialect="postgres")
    assert {pair.partition(" -> ")[0] for pair in pairs(result.snapshot)} == {"t.a", "t.b", "u.c"}


def test_a_log_that_is_one_json_document(here: Path) -> None:
    written(here, {"log.json": '[\n {"sql": "SELECT a FROM t"},\n {"sql": "SELECT b FROM t"}\n]'})
    assert {pair.partition(" -> ")[0] for pair in pairs(built("log.json").snapshot)} == {"t.a", "t.b"}


def test_a_table_of_the_session_is_a_log(here: Path, spark: SparkSession) -> None:
    spark.createDataFrame([("SELECT a FROM t",)], "sql string").createOrReplaceTempView("the_log")
    assert built("table:the_log").summary.relations > 0


def test_a_second_build_analyses_only_what_changed(here: Path) -> None:
    scripts = {f"sql/{n:02d}.sql": f"CREATE TABLE t{n} AS SELECT * FROM t{n - 1}" for n in range(1, 12)}
    written(here, scripts | {"sql/00.sql": "CREATE TABLE t0 (a int, b int)"})
    first = built()
    again = built()
    assert again.summary.reused == again.summary.distinct == 12
    assert again.snapshot.digest() == first.snapshot.digest()
    written(here, {"sql/05.sql": "CREATE TABLE t5 AS SELECT a, b, a AS c FROM t4"})
    changed = built()
    assert changed.summary.reused == 5
    full = built(output="other")
    assert full.summary.reused == 0
    assert changed.snapshot.digest() == full.snapshot.digest()
    written(here, scripts)
    assert built().snapshot.digest() == first.snapshot.digest()


def test_a_changed_schema_is_seen(here: Path) -> None:
    written(here, {"sql/a.sql": "CREATE TABLE o AS SELECT * FROM t"})
    first = built(catalog=headwater.Catalog({"t": ["a"]}))
    second = built(catalog=headwater.Catalog({"t": ["a", "b"]}))
    assert pairs(first.snapshot) == {"t.a -> o.a"}
    assert pairs(second.snapshot) == {"t.a -> o.a", "t.b -> o.b"}


@pytest.mark.parametrize("partitions", [1, 64])
def test_the_number_of_partitions_does_not_matter(
    here: Path, spark: SparkSession, partitions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor that of tasks: so little is stitched in one, unless it is told to be much."""
    shutil.copytree(sample_warehouse(), here / "sql")
    usual = built().snapshot.digest()
    monkeypatch.setattr(building, "_MAX_BYTES_IN_ONE_TASK", -1)
    before = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", str(partitions))
    try:
        assert built(output="other").snapshot.digest() == usual
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", before or "4")


def test_settings_of_single_scripts(here: Path) -> None:
    written(
        here,
        {
            "a.sql": "CREATE VIEW o AS SELECT [x y] FROM t",
            "b.sql": "CREATE VIEW p AS SELECT * FROM t",
            "b_columns.json": '{"t": ["z"]}',
            "list.csv": "path,dialect,default_schema,schema_file\na.sql,tsql,dbo,\nb.sql,,main,b_columns.json\n",
        },
    )
    snapshot = build(Corpus((), manifest="list.csv"), "lineage").snapshot
    assert pairs(snapshot) == {"dbo.t.x y -> dbo.o.x y", "main.t.z -> main.p.z"}


def test_a_schema_beside_a_script_is_its_own(here: Path) -> None:
    written(here, {"sql/a.sql": "CREATE VIEW o AS SELECT * FROM t", "sql/a_schema.json": '{"t": ["x"]}'})
    written(here, {"sql/b.sql": "CREATE VIEW p AS SELECT * FROM t"})
    found = pairs(built().snapshot)
    assert "t.x -> o.x" in found
    assert "t.* -> p.*" in found


def test_diagnostics_have_their_places(here: Path) -> None:
    written(
        here, {"sql/a.sql": "SELECT 1;\n\n  SELECT FROM;\nSELECT nope FROM t", "sql/t.sql": "CREATE TABLE t (a int)"}
    )
    said = built().snapshot.table("diagnostics").to_pylist()
    assert sorted((d["code"], d["line"]) for d in said) == [("syntax-error", 3), ("unresolved-column", 4)]


def test_no_secret_is_stored(here: Path) -> None:
    written(
        here,
        {
            "sql/a.sql": "CREATE USER u IDENTIFIED BY 'hunter2'; COPY t FROM 's3://b' CREDENTIALS 'aws_secret_access_key=hunter2'"
        },
    )
    built(dialect="redshift")
    kept = [p for p in Path("lineage").rglob("*") if p.is_file()]
    assert kept
    assert not [p for p in kept if b"hunter2" in p.read_bytes()]
    snapshot = Store("lineage").snapshot()
    assert not [t for t in ("scripts", "processes", "statements") if "hunter2" in str(snapshot.table(t).to_pylist())]


def test_old_snapshots_stay_and_go(here: Path) -> None:
    written(here, {"sql/a.sql": "CREATE TABLE o AS SELECT a FROM t"})
    names = [build(Corpus(("sql",)), "lineage", keep=2).snapshot.name for _ in range(3)]
    assert Store("lineage").names() == names[1:]
    assert headwater.open("lineage", as_of=names[1]) is not None
    with pytest.raises(StoreError, match="no snapshot is as old"):
        headwater.open("lineage", as_of="1999-01-01")


def test_nothing_to_read(here: Path) -> None:
    (here / "sql").mkdir()
    with pytest.raises(NothingToRead):
        built()


def test_insert_by_name_is_the_build_s_too(spark: SparkSession, tmp_path: Path) -> None:
    """And a store that was built otherwise is built anew."""
    write_scripts(tmp_path, {"sql/a.sql": "CREATE TABLE t (a int, b int); INSERT INTO t SELECT b, a FROM s"})

    def edges(insert_by: str) -> set[tuple[str, str]]:
        snapshot = build(Corpus([str(tmp_path / "sql")]), tmp_path / "store", insert_by=insert_by).snapshot
        names = {r["column_id"]: r["name"] for r in snapshot.table("columns").to_pylist()}
        rows = snapshot.table("relations").to_pylist()
        return {(names[r["source_id"]], names[r["target_id"]]) for r in rows} - {("PseudoRows", "PseudoRows")}

    assert edges("position") == {("b", "a"), ("a", "b")}
    assert edges("name") == {("a", "a"), ("b", "b")}
