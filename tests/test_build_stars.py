"""Builds with stars over unknown tables: what one unit asks of another is in the store, whatever is built in which order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import headwater
from build_process import write_scripts
from headwater.analysis import analyze
from headwater.catalog import Catalog
from headwater.export.feed import Scope
from headwater.feeds.store_feed import StoreFeed
from headwater.pipeline.corpus import Corpus, build
from headwater.pipeline.incremental import changes
from headwater.pipeline.read import file_stamp
from headwater.store import Snapshot

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark"), pytest.mark.usefixtures("spark")]


def built(
    folder: Path, scripts: dict[str, str] | None = None, output: str = "store", dialect: str = "spark"
) -> Snapshot:
    write_scripts(folder, scripts or {})
    return build(Corpus([str(folder / "sql")], dialect=dialect), folder / output).snapshot


def edges(snapshot: Snapshot) -> set[str]:
    """`source -> target` of everything that is no row set, with a mark for candidates."""
    names = {r["entity_id"]: r["name"] for r in snapshot.table("entities").to_pylist()}
    columns = {r["column_id"]: f"{names[r['entity_id']]}.{r['name']}" for r in snapshot.table("columns").to_pylist()}
    found = {
        f"{columns[r['source_id']]} -> {columns[r['target_id']]}" + " ?" * r["candidate"]
        for r in snapshot.table("relations").to_pylist()
    }
    return {each for each in found if "PseudoRows" not in each}


def test_a_column_is_asked_through_views_of_other_scripts(spark: SparkSession, tmp_path: Path) -> None:
    snapshot = built(
        tmp_path,
        {
            "sql/a.sql": "CREATE VIEW w AS SELECT a + 1 AS b FROM v2",
            "sql/b.sql": "CREATE VIEW v2 AS SELECT * FROM v1",
            "sql/c.sql": "CREATE VIEW v1 AS SELECT * FROM t",
        },
    )
    assert edges(snapshot) == {
        "t.* -> v1.*",
        "t.a -> v1.a",
        "v1.* -> v2.*",
        "v1.a -> v2.a",
        "v2.a -> w.b",
    }
    inferred = {r["name"]: r["inferred"] for r in snapshot.table("columns").to_pylist()}
    assert inferred["a"]
    of = {r["process_id"]: r["text"] for r in snapshot.table("processes").to_pylist()}
    columns = {r["column_id"]: r["name"] for r in snapshot.table("columns").to_pylist()}
    relations = [r for r in snapshot.table("relations").to_pylist() if columns[r["target_id"]] == "a"]
    assert {(of[r["process_id"]], r["expression"]) for r in relations} == {
        ("CREATE VIEW v1 AS SELECT * FROM t", "*"),
        ("CREATE VIEW v2 AS SELECT * FROM v1", "*"),
    }


def test_exports_and_questions_have_them_too(spark: SparkSession, tmp_path: Path) -> None:
    scripts = {
        "sql/a.sql": "CREATE VIEW w AS SELECT a + 1 AS b FROM v",
        "sql/b.sql": "CREATE VIEW v AS SELECT * FROM t",
        "sql/c.sql": "CREATE VIEW other AS SELECT a FROM t",
    }
    built(tmp_path, scripts)
    graph = headwater.open(str(tmp_path / "store"))
    assert [str(each) for each in graph.roots("w.b")] == ["t.a"]
    assert {str(node.what) for node in graph.upstream("w.b").nodes if node.distance} == {"v.a", "t.a"}
    assert {str(node.what) for node in graph.downstream("t.a").nodes if node.distance} == {"v.a", "w.b", "other.a"}
    inside = {
        f"{source.end.entity_name}.{source.end.column_name} -> {r.target.entity_name}.{r.target.column_name}"
        for r in StoreFeed(graph, Scope("complete", impact=False)).relations()
        for source in r.sources
        if r.target.column_name == "a"
    }
    assert inside == {"t.a -> RS-1.a", "RS-1.a -> v.a", "RS-1.a -> other.a"}


_SCRIPT = """
CREATE VIEW both AS SELECT x.*, y.* EXCEPT (id) FROM x JOIN y ON x.id = y.id;
INSERT INTO o SELECT id, b FROM both;
INSERT INTO sink SELECT * FROM p;
INSERT INTO sink SELECT * FROM q UNION ALL SELECT * FROM r;
INSERT INTO o SELECT c FROM sink;
CREATE OR REPLACE TEMP VIEW again AS SELECT * FROM x;
INSERT INTO o1 SELECT a FROM again;
CREATE OR REPLACE TEMP VIEW again AS SELECT *, 1 AS one FROM y;
INSERT INTO o2 SELECT b, one FROM again;
CREATE TABLE circle1 AS SELECT * FROM circle2;
CREATE TABLE circle2 AS SELECT * FROM circle1;
INSERT INTO o SELECT d FROM circle1;
MERGE INTO m USING s ON m.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;
INSERT INTO o SELECT e FROM m;
"""


def test_a_store_has_what_the_script_alone_has(spark: SparkSession, tmp_path: Path) -> None:
    lineage = analyze(_SCRIPT)
    expected = {f"{e.source} -> {e.target}" + " ?" * e.candidate for e in lineage.column_edges(rows="none")}
    assert {"x.id -> both.id", "x.b -> both.b ?", "y.b -> both.b ?", "r.c -> sink.c", "s.e -> m.e"} <= expected
    assert not {"y.id -> both.id", "y.a -> again.a", "x.b -> again.b"} & expected
    snapshot = built(tmp_path, {"sql/one.sql": _SCRIPT})
    assert edges(snapshot) == expected
    said = [(r["code"], r["subject"], r["line"]) for r in snapshot.table("diagnostics").to_pylist()]
    assert said == [("ambiguous-column", "b", 2)]
    assert [(d.code.value, d.subject) for d in lineage.diagnostics] == [("ambiguous-column", "b")]


_ALTERED = """
CREATE TABLE o AS SELECT * FROM t;
ALTER TABLE o ADD COLUMN x INT;
ALTER TABLE o SET TBLPROPERTIES ('k' = 'v');
ALTER TABLE o RENAME COLUMN a TO b;
INSERT INTO p SELECT x, b, c FROM o;
INSERT INTO filled SELECT * FROM t_before;
ALTER TABLE filled ADD COLUMNS (y INT);
INSERT INTO filled SELECT * FROM t_behind;
INSERT INTO p SELECT y, z FROM filled;
CREATE TABLE stg AS SELECT *, 1 AS batch FROM raw;
ALTER TABLE stg ADD COLUMN n INT;
ALTER TABLE stg RENAME TO prod;
ALTER TABLE prod ADD COLUMN m INT;
INSERT INTO p SELECT n, m, q, batch FROM prod;
ALTER TABLE plain RENAME TO named;
INSERT INTO whole SELECT * FROM named;
CREATE TEMPORARY TABLE passing AS SELECT * FROM raw;
ALTER TABLE passing ADD COLUMN extra INT;
INSERT INTO p SELECT extra, w FROM passing;
"""
_SWAPPED = """
CREATE TABLE next ENGINE = Memory AS SELECT * FROM src;
EXCHANGE TABLES next AND live;
INSERT INTO o SELECT x FROM live;
INSERT INTO o SELECT y FROM next;
RENAME TABLE t TO t_old, t_new TO t;
INSERT INTO p SELECT x FROM t;
INSERT INTO p SELECT y FROM t_old;
"""
_PROCEDURE = """
CREATE PROCEDURE dbo.p AS
BEGIN
  SELECT * INTO #t FROM dbo.src;
  ALTER TABLE #t ADD extra INT;
  UPDATE #t SET extra = a + 1;
  INSERT INTO dbo.o SELECT extra, a FROM #t;
END
GO
SELECT * INTO dbo.n FROM dbo.m;
GO
EXEC sp_rename 'dbo.n', 'n2';
GO
EXEC sp_rename 'dbo.n2.c1', 'c2', 'COLUMN';
GO
INSERT INTO dbo.o SELECT c2, c3 FROM dbo.n2;
"""


@pytest.mark.parametrize(
    ("script", "dialect", "among", "without"),
    [
        (
            _ALTERED,
            "spark",
            {"t.a -> o.a", "o.a -> o.b", "t.c -> o.c", "t_behind.y -> filled.y", "t_before.z -> filled.z"}
            | {"raw.q -> stg.q", "stg.q -> prod.q", "stg.n -> prod.n", "plain.* -> named.*", "raw.w -> passing.w"},
            {"t.x -> o.x", "t.b -> o.b", "t_before.y -> filled.y", "raw.n -> stg.n", "stg.m -> prod.m"}
            | {"raw.extra -> passing.extra"},
        ),
        (
            _SWAPPED,
            "clickhouse",
            {"next.x -> live.x", "src.x -> next.x", "live.y -> next.y", "t_new.x -> t.x", "t.y -> t_old.y"},
            {"src.y -> next.y", "t_new.y -> t.y"},
        ),
        (
            _PROCEDURE,
            "tsql",
            {"dbo.src.a -> #t.a", "#t.a -> #t.extra", "dbo.m.c1 -> dbo.n.c1", "dbo.n.c1 -> dbo.n2.c1"},
            {"dbo.src.extra -> #t.extra", "dbo.n.c2 -> dbo.n2.c2"},
        ),
    ],
)
def test_a_store_has_what_a_script_with_altered_tables_has(
    spark: SparkSession, tmp_path: Path, script: str, dialect: str, among: set[str], without: set[str]
) -> None:
    """What is added by ALTER does not come through a star; what is renamed or swapped has the columns that it had."""
    expected = {str(e.source) + f" -> {e.target}" for e in analyze(script, dialect=dialect).column_edges(rows="none")}
    assert among <= expected
    assert not without & expected
    write_scripts(tmp_path, {"sql/one.sql": script})
    snapshot = build(Corpus([str(tmp_path / "sql")], dialect=dialect), tmp_path / "store").snapshot
    assert edges(snapshot) == expected
    assert not snapshot.table("diagnostics").to_pylist()


_STEPS: list[dict[str, str | None]] = [
    {
        "sql/v.sql": "CREATE VIEW v AS SELECT * FROM t",
        "sql/u.sql": "CREATE VIEW u AS SELECT * FROM v",
        "sql/x.sql": "CREATE TABLE x (a INT, b INT); INSERT INTO y SELECT a FROM x",
        "sql/circle.sql": "CREATE VIEW one AS SELECT * FROM two; CREATE VIEW two AS SELECT * FROM one",
    },
    {"sql/ask.sql": "INSERT INTO o SELECT a FROM u; INSERT INTO o SELECT c FROM two"},
    {"sql/more.sql": "INSERT INTO o SELECT b FROM u"},
    {"sql/ask.sql": None},  # only b is asked for, and nothing of the circle
    {"sql/u.sql": "CREATE VIEW u AS SELECT * FROM v, v2"},  # one of two
    {"sql/t.sql": "CREATE TABLE t (b INT)"},  # now it is known
    {"sql/t.sql": None, "sql/zz.sql": "CREATE VIEW u AS SELECT * FROM other"},  # another definition in force
    {"sql/zz.sql": None, "sql/more.sql": None},
]
"""What is written, or removed, before each build."""


def built_step_by_step(
    folder: Path, monkeypatch: pytest.MonkeyPatch, steps: list[dict[str, str | None]], dialect: str = "spark"
) -> list[set[str]]:
    """The edges after each step; a build upon another gives what one from nothing does."""
    monkeypatch.setattr(changes, "MAX_CHANGED_SHARE", 1.1)
    monkeypatch.setattr(file_stamp, "MOMENT", 0.0)
    found = []
    for number, step in enumerate(steps):
        for path in (path for path, text in step.items() if text is None):
            (folder / path).unlink()
        again = built(folder, {path: text for path, text in step.items() if text is not None}, dialect=dialect)
        assert again.digest() == built(folder, output=f"anew{number}", dialect=dialect).digest(), number
        found.append(edges(again))
    return found


def test_a_build_upon_another_gives_what_one_from_nothing_does(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = built_step_by_step(tmp_path, monkeypatch, _STEPS)
    assert "t.a -> v.a" not in found[0]
    assert {"t.a -> v.a", "v.a -> u.a", "one.c -> two.c", "two.c -> one.c"} <= found[1]
    assert {"t.a -> v.a", "t.b -> v.b", "v.b -> u.b"} <= found[2]
    assert {"t.b -> v.b", "v.b -> u.b"} <= found[3]
    assert not {"t.a -> v.a", "one.c -> two.c"} & found[3]
    assert {"v.b -> u.b ?", "v2.b -> u.b ?", "t.b -> v.b"} <= found[4]
    assert {"t.b -> v.b", "v.b -> u.b", "v2.* -> u.*"} <= found[5]
    assert "other.b -> u.b" in found[6]
    assert not {"v.b -> u.b ?", "t.b -> v.b"} & found[6]
    assert not {each for each in found[7] if each.startswith("other")}


_ALTERING_STEPS: list[dict[str, str | None]] = [
    {
        "sql/made.sql": "CREATE TABLE made AS SELECT * FROM t",
        "sql/other.sql": "INSERT INTO other SELECT b FROM u",
        "sql/read.sql": "INSERT INTO o SELECT x, y FROM made",
    },
    {"sql/made_later.sql": "ALTER TABLE made ADD COLUMN x INT"},
    {"sql/made_later.sql": "ALTER TABLE made RENAME TO kept", "sql/read.sql": "INSERT INTO o SELECT x FROM kept"},
    {"sql/made_later.sql": None},
]


def test_a_build_upon_another_hears_of_an_alter_in_another_script(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scripts that fill and read the table stay as they are, while another begins to alter it."""
    found = built_step_by_step(tmp_path, monkeypatch, _ALTERING_STEPS)
    assert {"t.x -> made.x", "t.y -> made.y"} <= found[0]
    assert "t.x -> made.x" not in found[1]
    assert "t.y -> made.y" in found[1]
    assert {"t.x -> made.x", "made.x -> kept.x", "kept.x -> o.x"} <= found[2]
    assert found[3] == {"t.* -> made.*", "kept.x -> o.x", "u.b -> other.b"}


_WRITER = "INSERT INTO ds.events_20240101 SELECT a FROM ds.raw"
_READER = "CREATE TABLE ds.daily AS SELECT a FROM `ds.events_*`"


def test_a_wildcard_holds_the_tables_of_the_catalog(spark: SparkSession, tmp_path: Path) -> None:
    write_scripts(tmp_path, {"sql/reader.sql": _READER})
    catalog = Catalog({"ds.events_1": ["a", "b"], "ds.other_1": ["a"]})
    snapshot = build(Corpus([str(tmp_path / "sql")], dialect="bigquery"), tmp_path / "store", catalog=catalog).snapshot
    assert edges(snapshot) == {"ds.events_1.a -> ds.events_*.a", "ds.events_*.a -> ds.daily.a"}


def test_a_wildcard_holds_the_tables_that_other_scripts_fill(spark: SparkSession, tmp_path: Path) -> None:
    write_scripts(tmp_path, {"sql/reader.sql": _READER, "sql/writer.sql": _WRITER})
    snapshot = build(Corpus([str(tmp_path / "sql")], dialect="bigquery"), tmp_path / "store").snapshot
    assert edges(snapshot) == {
        "ds.raw.a -> ds.events_20240101.a",
        "ds.events_20240101.a -> ds.events_*.a",
        "ds.events_*.a -> ds.daily.a",
    }


_WILDCARD_STEPS: list[dict[str, str | None]] = [
    {"sql/reader.sql": _READER, "sql/other.sql": "INSERT INTO ds.other_1 SELECT a FROM ds.u"},
    {"sql/writer.sql": _WRITER},
    {"sql/open.sql": "INSERT INTO ds.events_2 SELECT * FROM ds.raw_2"},
    {"sql/reader.sql": _READER.replace("SELECT a", "SELECT a, b")},
    {"sql/writer.sql": None},
]


def test_a_build_upon_another_hears_of_tables_that_fit_a_wildcard(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader stays as it is while tables come and go."""
    found = built_step_by_step(tmp_path, monkeypatch, _WILDCARD_STEPS, "bigquery")
    other, read = "ds.u.a -> ds.other_1.a", "ds.events_*.a -> ds.daily.a"
    assert found[0] == {other, read}
    assert found[1] == {other, read, "ds.raw.a -> ds.events_20240101.a", "ds.events_20240101.a -> ds.events_*.a"}
    assert {"ds.events_2.a -> ds.events_*.a", "ds.raw_2.a -> ds.events_2.a"} <= found[2]
    assert {"ds.events_2.b -> ds.events_*.b", "ds.events_20240101.b -> ds.events_*.b"} <= found[3]
    assert not {each for each in found[4] if "events_20240101" in each}
    assert {"ds.events_2.a -> ds.events_*.a", "ds.raw_2.b -> ds.events_2.b"} <= found[4]


_STAGE_STEPS: list[dict[str, str | None]] = [
    {"sql/all.sql": "COPY INTO u FROM @s", "sql/b.sql": "COPY INTO v FROM @s/b/"},
    {"sql/unload.sql": "COPY INTO @s/a/ FROM (SELECT x FROM t)"},
    {"sql/file.sql": "COPY INTO w FROM @s/a/x.csv"},
    {"sql/unload.sql": None},
]


def test_a_reader_of_a_stage_hears_of_places_that_other_scripts_write(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written at one place reaches the readers of the stage, and of files below it, but not those of other places."""
    found = built_step_by_step(tmp_path, monkeypatch, _STAGE_STEPS, "snowflake")
    first = {"@S.* -> U.*", "@S.* -> @S/b/.*", "@S/b/.* -> V.*"}
    unloaded = {"T.X -> @S/a/.*", "@S/a/.* -> U.*"}
    loaded = {"@S.* -> @S/a/x.csv.*", "@S/a/x.csv.* -> W.*"}
    assert found[0] == first
    assert found[1] == first | unloaded
    assert found[2] == first | unloaded | loaded | {"@S/a/.* -> W.*"}
    assert found[3] == first | loaded
