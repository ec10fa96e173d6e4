"""Live capture: what jobs did, what becomes of it when something fails, and that it meets SQL in one store."""

from __future__ import annotations

import json
import logging
import os
import runpy
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import headwater
from command import Run
from headwater.captured import NotAJob, job_of, read_job
from headwater.model.diagnostic import Code
from headwater.pipeline.corpus import Corpus, build
from headwater.spark import Capture, NotCapturable, capture
from headwater.spark.capturing.reading import PlanReader

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

EXAMPLE = Path(__file__).parent.parent / "examples" / "capture_job.py"
BOARD = EXAMPLE.with_name("board.sql")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def orders(spark: SparkSession, here: Path) -> DataFrame:
    """Some files."""
    spark.range(4).selectExpr("id", "id % 2 AS kind", "id * 1.5 AS amount").write.parquet(f"{here}/orders")
    return spark.read.parquet(f"{here}/orders")


@pytest.fixture
def shop(spark: SparkSession) -> Iterator[None]:
    """A schema that is gone afterwards."""
    yield
    spark.sql("DROP DATABASE IF EXISTS shop CASCADE")


def edges(captured: Capture, here: Path) -> set[str]:
    """What flows, with paths from here on."""
    found = captured.column_edges(rows="none")
    return {f"{e.target} <- {e.source} {e.subtype}".replace(f"{here}/", "") for e in found}


def lines(folder: Path) -> list[dict[str, Any]]:
    """What was written."""
    return [json.loads(line) for file in sorted(folder.iterdir()) for line in file.read_text().splitlines()]


# A job of ten steps, and SQL after it


def test_a_job_of_ten_steps_is_captured_and_stitched_with_sql(
    spark: SparkSession, here: Path, shop: None, run: Run
) -> None:
    example = runpy.run_path(str(EXAMPLE))
    example["prepare"](spark, here)
    with capture(spark, sink=here / "captured") as captured:
        example["job"](spark, here)
    assert captured.diagnostics == []
    assert [each.statements[0].resolution.process.type for each in captured.lineages()] == [
        *("Insert", "Create Table", "Insert", "Insert")
    ]
    assert edges(captured, here) == {
        "visits.order_id <- orders.order_id IDENTITY",
        "visits.who <- customers.csv.name TRANSFORMATION",
        "visits.net <- orders.amount TRANSFORMATION",
        "visits.visit <- orders.customer_id WINDOW",
        "visits.visit <- orders.day WINDOW",
        "shop.daily.region <- shop.countries.region IDENTITY",
        "shop.daily.day <- orders.day IDENTITY",
        "shop.daily.total <- orders.amount AGGREGATION",
        "shop.daily.total <- shop.countries.region GROUP_BY",
        "shop.daily.total <- orders.day GROUP_BY",
        "shop.daily.orders <- shop.countries.region GROUP_BY",
        "shop.daily.orders <- orders.day GROUP_BY",
        "shop.daily.orders <- orders.customer_id JOIN",  # rows are counted that the joins leave
        "shop.daily.orders <- customers.csv.id JOIN",
        "shop.daily.orders <- customers.csv.country JOIN",
        "shop.daily.orders <- shop.countries.code JOIN",
        "shop.items.item <- orders.items TRANSFORMATION",
        "shop.items.region <- shop.countries.region IDENTITY",
        "shop.report.region <- shop.daily.region IDENTITY",
        "shop.report.best <- shop.daily.total AGGREGATION",
        "shop.report.best <- shop.daily.region GROUP_BY",
    }
    joined = {
        f"{e.target} <- {e.source}".replace(f"{here}/", "") for e in captured.column_edges() if e.subtype == "JOIN"
    }
    assert {
        "visits.PseudoRows <- orders.customer_id",
        "visits.PseudoRows <- customers.csv.id",
        "visits.PseudoRows <- customers.csv.country",
        "visits.PseudoRows <- shop.countries.code",
    } <= joined

    built = build(Corpus((str(BOARD), str(here / "captured"))), here / "lineage")
    assert built.summary.failed == {}
    roots = {str(each).replace(f"{here}/", "") for each in headwater.open(here / "lineage").roots("shop.board.best")}
    assert roots == {"orders.amount"}
    said = run("upstream", "shop.board.best", "--store", here / "lineage")
    assert said.code == 0
    assert [name in said.out for name in ("shop.report.best", "shop.daily.total", f"{here}/orders.amount")] == [
        True
    ] * 3
