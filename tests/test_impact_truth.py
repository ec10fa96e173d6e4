"""`impact` against the truth: DuckDB runs a warehouse of 64 scripts with each column of its sources dropped, and renamed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

import headwater
from headwater.graph.graph import Graph
from headwater.pipeline.corpus import Corpus, build
from impact_truth import FOLDER, Change, changes, lost_columns

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark"), pytest.mark.usefixtures("spark")]


@pytest.fixture(scope="module")
def graph(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    store = tmp_path_factory.mktemp("impact") / "store"
    build(Corpus([str(FOLDER)], dialect="duckdb"), store)
    return headwater.open(store)


def test_what_breaks_fails_and_what_is_safe_does_not(graph: Graph) -> None:
    wrong: list[str] = []
    counts: Counter[str] = Counter()
    for change in changes():
        told, (lost, there) = verdicts(graph, change), lost_columns(change)
        for column in there:
            verdict = told.get(column, "not hit")
            counts[f"{verdict}, {'lost' if column in lost else 'not lost'}"] += 1
            if verdict != "maybe" and (verdict == "breaking") != (column in lost):
                wrong.append(f"{change.kind} {change.table}.{change.column}: {column} is {verdict}, {column in lost=}")
    print(dict(counts))
    assert len(changes()) >= 60
    assert wrong == []
    assert counts["maybe, lost"] < 0.05 * counts["breaking, lost"], "maybe is for what the graph cannot tell"


def verdicts(graph: Graph, change: Change) -> dict[str, str]:
    """What `impact` says of the columns that a change hits."""
    found = graph.impact(f"{change.table}.{change.column}", change.kind)
    return {f"{hit.column.table}.{hit.column.name}": hit.verdict for hit in found.hits}
