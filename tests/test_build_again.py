"""A build into a store that is there already gives what a build from nothing would."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from build_process import write_scripts
from headwater.budget import Budget
from headwater.pipeline.corpus import Corpus, build
from headwater.pipeline.options import Options

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
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


_STEPS: list[dict[str, str | None]] = [
    {
        "sql/base.sql": "CREATE TABLE raw (a INT, b INT, c INT); CREATE TABLE other (a INT, d INT)",
        "sql/z_stage.sql": "CREATE VIEW stage AS SELECT * FROM raw; CREATE VIEW plain AS SELECT d FROM other",
        "sql/mart.sql": "CREATE VIEW mart AS SELECT * FROM stage; INSERT INTO sink SELECT * FROM mart",
        "sql/both.sql": "INSERT INTO both SELECT s.*, p.* FROM stage s JOIN plain p ON s.a = p.d WHERE s.b = 1",
        "sql/temporary.sql": "CREATE TEMPORARY VIEW v AS SELECT * FROM plain; INSERT INTO sink SELECT * FROM v",
        "sql/circle.sql": "CREATE VIEW one AS SELECT * FROM two; CREATE VIEW two AS SELECT * FROM one",
        "sql/set.sql": "INSERT INTO ${db}.target SELECT a FROM raw WHERE x = '${day}'",
    },
    {"sql/late.sql": "INSERT INTO late SELECT m.a, p.d FROM mart m, plain p"},  # needs what stands
    {"sql/z_stage.sql": "CREATE VIEW stage AS SELECT a, b + c AS e FROM raw; CREATE VIEW plain AS SELECT d FROM other"},
    {"sql/mart.sql": None, "sql/mart2.sql": "CREATE VIEW mart AS SELECT e FROM stage", "sql/circle.sql": "SELECT 1"},
    {"sql/own.sql": "CREATE TABLE raw AS SELECT 1 AS z; INSERT INTO own SELECT * FROM raw; SELECT * FROM mart"},
]
"""What is written, or removed, before each build."""


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
def test_build_after_build_is_what_one_build_from_nothing_is(spark: SparkSession, tmp_path: Path) -> None:
    corpus = Corpus([str(tmp_path / "sql")])
    looked_at = []
    for number, step in enumerate(_STEPS):
        write_scripts(tmp_path, {path: text for path, text in step.items() if text is not None})
        for path in (path for path, text in step.items() if text is None):
            (tmp_path / path).unlink()
        again = build(corpus, tmp_path / "again")
        anew = build(corpus, tmp_path / f"anew-{number}")
        assert again.snapshot.digest() == anew.snapshot.digest(), number
        looked_at.append(again.summary.distinct - again.summary.reused)
    assert looked_at[1] == 1


def test_what_did_not_fit_into_a_budget_is_analysed_again_under_another_one() -> None:
    assert Options(budget=Budget(2)).key != Options(budget=Budget(60)).key
    assert Options(budget=Budget(2)).key == Options(budget=Budget(2)).key
