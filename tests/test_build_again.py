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


def test_what_did_not_fit_into_a_budget_is_analysed_again_under_another_one() -> None:
    assert Options(budget=Budget(2)).key != Options(budget=Budget(60)).key
    assert Options(budget=Budget(2)).key == Options(budget=Budget(2)).key
