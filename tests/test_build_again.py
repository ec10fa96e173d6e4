"""A build into a store that is there already gives what a build from nothing would."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from build_process import write_scripts
from headwater.budget import Budget
from headwater.catalog import Catalog
from headwater.pipeline import build as building
from headwater.pipeline.build import Built
from headwater.pipeline.corpus import Corpus, build
from headwater.pipeline.exchange import Exchange
from headwater.pipeline.incremental import carry_over, changes
from headwater.pipeline.options import Options
from headwater.pipeline.read import file_stamp
from headwater.pipeline.read.logs import LogColumns
from headwater.store import Store
from headwater.store.build_folder import AnotherBuild
from headwater.store.schema import TABLES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("any_share")
def test_a_statement_that_differs_only_in_a_literal_and_comes_first_stands_for_the_others(
    spark: SparkSession, tmp_path: Path
) -> None:
    corpus = Corpus([str(tmp_path / "sql")])
    write_scripts(tmp_path, {"sql/b.sql": "INSERT INTO t SELECT x FROM s WHERE y = 1", "sql/c.sql": "SELECT x FROM t"})
    build(corpus, tmp_path / "again")
    write_scripts(tmp_path, {"sql/a.sql": "INSERT INTO t SELECT x FROM s WHERE y = 2"})
    again = build(corpus, tmp_path / "again")
    assert (again.summary.distinct, again.summary.reused) == (2, 1)
    assert again.snapshot.digest() == build(corpus, tmp_path / "anew").snapshot.digest()


@pytest.fixture
def any_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless everything is touched, the rest is not stitched anew; and what was written a moment ago is not read again."""
    monkeypatch.setattr(changes, "MAX_CHANGED_SHARE", 1.0)
    monkeypatch.setattr(file_stamp, "MOMENT", 0.0)


Step = dict[str, str | None]

_STEPS: list[Step] = [
    {
        "sql/base.sql": "CREATE TABLE raw (a INT, b INT, c INT); CREATE TABLE other (a INT, d INT)",
        "sql/z_stage.sql": "CREATE VIEW stage AS SELECT * FROM raw; CREATE VIEW plain AS SELECT d FROM other",
        "sql/mart.sql": "CREATE VIEW mart AS SELECT * FROM stage; INSERT INTO sink SELECT * FROM mart",
        "sql/both.sql": "INSERT INTO both SELECT s.*, p.* FROM stage s JOIN plain p ON s.a = p.d WHERE s.b = 1",
        "sql/temporary.sql": "CREATE TEMPORARY VIEW v AS SELECT * FROM plain; INSERT INTO sink SELECT * FROM v",
        "sql/circle.sql": "CREATE VIEW one AS SELECT * FROM two; CREATE VIEW two AS SELECT * FROM one",
        "sql/set.sql": "INSERT INTO ${db}.target SELECT a FROM raw WHERE x = '${day}'",
        "sql/wrong.sql": "SELECT FROM WHERE; SELECT nowhere FROM raw",
    },
    {"sql/late.sql": "INSERT INTO late SELECT m.a, p.d FROM mart m, plain p"},  # needs what stands
    {"sql/z_stage.sql": "CREATE VIEW stage AS SELECT a, b + c AS e FROM raw; CREATE VIEW plain AS SELECT d FROM other"},
    {"sql/mart.sql": None, "sql/mart2.sql": "CREATE VIEW mart AS SELECT e FROM stage", "sql/circle.sql": "SELECT 1"},
    {"sql/own.sql": "CREATE TABLE raw AS SELECT 1 AS z; INSERT INTO own SELECT * FROM raw; SELECT * FROM mart"},
    {},
    {"sql/a_spelling.sql": "SELECT D FROM OTHER; SELECT 1"},  # spelled first here
    {"sql/a_spelling.sql": None, "sql/wrong.sql": "SELECT 1"},
    {"sql/zz_plain.sql": "CREATE VIEW plain AS SELECT d, a FROM other"},  # another definition in force
    {"sql/zz_plain.sql": None, "sql/aa_plain.sql": "CREATE VIEW plain AS SELECT d, a FROM other"},
    {
        "sql/late.sql": "CREATE TABLE mart2 AS SELECT 1 AS x",
        "sql/mart2.sql": "CREATE TABLE mart (e INT)",
    },  # no view now
    {"sql/set.sql": "SET x = 1; INSERT INTO ${db}.target SELECT a, b FROM raw WHERE x = '${day}'"},
    {"sql/base.sql": "\n\nCREATE TABLE raw (a INT, b INT, c INT);  CREATE TABLE other (a INT, d INT)"},  # elsewhere
]
"""What is written, or removed, before each build."""


def apply(step: Step, folder: Path) -> None:
    write_scripts(folder, {path: text for path, text in step.items() if text is not None})
    for path in (path for path, text in step.items() if text is None):
        (folder / path).unlink()


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("any_share")
def test_build_after_build_is_what_one_build_from_nothing_is(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one task, or in as many as for a large corpus."""
    sizes = {name: getattr(building, name) for name in ("_MAX_BYTES_IN_ONE_TASK", "_MAX_UNITS_IN_ONE_TASK")}

    def in_tasks(many: bool) -> None:
        for name, size in sizes.items():
            monkeypatch.setattr(building, name, -1 if many else size)

    corpus = Corpus([str(tmp_path / "sql")])
    looked_at = []
    for number, step in enumerate(_STEPS):
        apply(step, tmp_path)
        in_tasks(many=number in (2, 7))
        again = build(corpus, tmp_path / "again")
        in_tasks(many=number in (4, 10))
        anew = build(corpus, tmp_path / f"anew-{number}")
        assert again.snapshot.digest() == anew.snapshot.digest(), number
        assert counts(again) == counts(anew), number
        looked_at.append(again.summary.distinct - again.summary.reused)
    assert looked_at[1] == 1
    assert looked_at[5] == 0


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("any_share")
def test_a_store_that_only_spark_reads_is_built_the_same(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver of a store on an object store has no files on its disk: it asks Spark for their rows."""
    corpus = Corpus([str(tmp_path / "sql")])
    with monkeypatch.context() as patch:
        patch.setattr(Exchange, "local_files", lambda exchange, uris: None)
        for step in _STEPS[:4]:
            apply(step, tmp_path)
            again = build(corpus, tmp_path / "again")
    anew = build(corpus, tmp_path / "anew")
    assert again.snapshot.digest() == anew.snapshot.digest()
    assert counts(again) == counts(anew)


def counts(made: Built) -> dict[str, object]:
    """What a build says of its result."""
    own = ("reused", "seconds")
    return {name: value for name, value in made.summary.as_dict().items() if name not in own}


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("any_share")
def test_what_is_not_touched_is_not_written_again(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carry_over, "_MIN_ROWS_PER_FILE", 0)
    names = [*TABLES, "cuts"]
    corpus = Corpus([str(tmp_path / "sql")])
    apply(
        _STEPS[0] | {"sql/set.sql": "SELECT 2 AS two"}, tmp_path
    )  # what is not read as it is written is cut anew each time
    first = build(corpus, tmp_path / "store").snapshot
    second = build(corpus, tmp_path / "store").snapshot
    assert [set(second.files(name)) for name in names] == [set(first.files(name)) for name in names]
    apply({"sql/new.sql": "SELECT 1"}, tmp_path)
    third = build(corpus, tmp_path / "store").snapshot
    assert [name for name in names if not set(first.files(name)) <= set(third.files(name))] == []
    new = set(third.files("relations")) - set(first.files("relations"))
    assert sum(pq.read_metadata(third.paths("relations")[0].parents[3] / file.key).num_rows for file in new) == 0


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("any_share")
def test_a_log_with_more_rows_of_what_was_known(spark: SparkSession, tmp_path: Path) -> None:
    log = LogColumns(sql="q", user="u", time="t")
    corpus = Corpus([str(tmp_path / "sql"), str(tmp_path / "log.csv")], log=log)
    write_scripts(tmp_path, {"sql/a.sql": "CREATE VIEW v AS SELECT a, b FROM t; INSERT INTO s SELECT * FROM v"})
    rows = [
        "SELECT x FROM T,ann,2026-01-01 00:00:00",
        "SELECT x FROM t WHERE y = 1,ann,2026-01-02 00:00:00",
        "CREATE TABLE made AS SELECT 1 AS one,ann,2026-01-03 00:00:00",
        "CREATE TABLE made AS SELECT 2 AS two,bob,2026-01-04 00:00:00",
        "INSERT INTO s SELECT * FROM v,bob,2026-01-04 00:00:00",
        "SELECT * FROM made,bob,2026-01-05 00:00:00",
        # the same again, later: counts, users, the first spelling, the definition in force
        "SELECT x FROM T,carl,2026-01-06 00:00:00",
        "CREATE TABLE made AS SELECT 1 AS one,carl,2026-01-07 00:00:00",
        "SELECT x FROM t WHERE y = 2,carl,2025-01-01 00:00:00",
        "INSERT INTO s SELECT * FROM v,carl,2026-01-08 00:00:00",
    ]
    for number in (6, 7, 8, 10):
        write_scripts(tmp_path, {"log.csv": "\n".join(["q,u,t", *rows[:number], ""])})
        again = build(corpus, tmp_path / "again")
        anew = build(corpus, tmp_path / f"anew-{number}")
        assert again.snapshot.digest() == anew.snapshot.digest(), rows[number - 1]


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("any_share")
def test_another_catalog_is_another_result(spark: SparkSession, tmp_path: Path) -> None:
    corpus = Corpus([str(tmp_path / "sql")])
    write_scripts(tmp_path, {"sql/a.sql": "INSERT INTO s SELECT * FROM t", "sql/b.sql": "SELECT a FROM u"})
    known: list[dict[str, dict[str, str]]] = [
        {"t": {"a": "int"}},
        {"t": {"a": "int", "b": "int"}},
        {"never": {"c": "int"}},
    ]
    build(corpus, tmp_path / "again", catalog=Catalog(known[0]))
    for number, tables in enumerate(known[1:]):
        again = build(corpus, tmp_path / "again", catalog=Catalog(tables))
        anew = build(corpus, tmp_path / f"anew-{number}", catalog=Catalog(tables))
        assert again.snapshot.digest() == anew.snapshot.digest()
    write_scripts(tmp_path, {"sql/b.sql": "SELECT a, 1 AS n FROM u, t"})
    again = build(corpus, tmp_path / "again", catalog=Catalog(known[0]))  # another catalog and another script at once
    anew = build(corpus, tmp_path / "anew", catalog=Catalog(known[0]))
    assert again.snapshot.digest() == anew.snapshot.digest()


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("any_share")
def test_a_build_whose_snapshot_another_build_removes_names_that_build(spark: SparkSession, tmp_path: Path) -> None:
    corpus = Corpus([str(tmp_path / "sql")])
    write_scripts(tmp_path, {"sql/a.sql": "CREATE VIEW v AS SELECT a FROM t", "sql/b.sql": "SELECT * FROM v"})
    build(corpus, tmp_path / "again")
    write_scripts(tmp_path, {"sql/c.sql": "INSERT INTO s SELECT * FROM v"})

    def tell(step: str, done: float) -> None:
        if (step, done) == ("split", 0.0):
            build(corpus, tmp_path / "again", keep=1)

    with pytest.raises(AnotherBuild, match="run it again"):
        build(corpus, tmp_path / "again", tell=tell)
    assert len(Store(tmp_path / "again").names()) == 1
    assert Store(tmp_path / "again").snapshot().digest() == build(corpus, tmp_path / "anew").snapshot.digest()


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("any_share")
def test_a_file_that_changes_after_it_was_taken_for_unchanged(spark: SparkSession, tmp_path: Path) -> None:
    corpus = Corpus([str(tmp_path / "sql")])
    write_scripts(tmp_path, {"sql/a.sql": "CREATE VIEW v AS SELECT a FROM t", "sql/b.sql": "SELECT * FROM v"})
    build(corpus, tmp_path / "again")
    write_scripts(tmp_path, {"sql/a.sql": "CREATE VIEW v AS SELECT b FROM t"})  # now b.sql is looked at again
    begun = []

    def tell(step: str, done: float) -> None:
        if (step, done) == ("order", 0.0):
            begun.append(step)
            write_scripts(tmp_path, {"sql/b.sql": "SELECT *, 1 AS one FROM v"})

    again = build(corpus, tmp_path / "again", tell=tell)
    assert len(begun) == 2
    assert again.snapshot.digest() == build(corpus, tmp_path / "anew").snapshot.digest()


def test_what_did_not_fit_into_a_budget_is_analysed_again_under_another_one() -> None:
    assert Options(budget=Budget(2)).key != Options(budget=Budget(60)).key
    assert Options(budget=Budget(2)).key == Options(budget=Budget(2)).key
