"""Builds with stars over unknown tables: what one unit asks of another is in the store, whatever is built in which order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import headwater
from build_process import write_scripts
from headwater.analysis import analyze
from headwater.export.feed import Scope
from headwater.feeds.store_feed import StoreFeed
from headwater.pipeline.corpus import Corpus, build
from headwater.pipeline.incremental import changes
from headwater.pipeline.read import file_stamp
from headwater.store import Snapshot

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark"), pytest.mark.usefixtures("spark")]


def built(folder: Path, scripts: dict[str, str] | None = None, output: str = "store") -> Snapshot:
    write_scripts(folder, scripts or {})
    return build(Corpus([str(folder / "sql")]), folder / output).snapshot


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


def test_a_build_upon_another_gives_what_one_from_nothing_does(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "MAX_CHANGED_SHARE", 1.1)
    monkeypatch.setattr(file_stamp, "MOMENT", 0.0)
    found = []
    for number, step in enumerate(_STEPS):
        for path in (path for path, text in step.items() if text is None):
            (tmp_path / path).unlink()
        again = built(tmp_path, {path: text for path, text in step.items() if text is not None})
        assert again.digest() == built(tmp_path, output=f"anew{number}").digest(), number
        found.append(edges(again))
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
