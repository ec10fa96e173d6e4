"""Builds of semantic layers with the SQL below them: one graph, from a table's column to the dashboard."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import headwater
from headwater.graph import Graph
from headwater.pipeline.build import Built
from headwater.pipeline.corpus import Corpus, build

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

LOAD = """\
CREATE TABLE warehouse.raw_orders AS
SELECT id, user_id, cents / 100 AS amount, status, region FROM landing.orders;
"""
PROJECT = """\
name: shop
includes: [{path: shown.visivo.yml}]
sources: [{name: warehouse, type: duckdb, database: shop.duckdb}]
models:
  - name: orders
    source: ${ref(warehouse)}
    sql: SELECT * FROM raw_orders
    dimensions:
      - {name: open, expression: status = 'open'}
    metrics:
      - name: revenue
        expression: SUM(amount)
      - name: orders
        expression: COUNT(id)
metrics:
  - name: average
    expression: ${ref(orders).revenue} / ${ref(orders).orders}
"""
SHOWN = """\
insights:
  - name: by_region
    props:
      type: bar
      x: ?{${ref(orders).region}}
      y: ?{${ref(average)}}
  - name: by_status
    props:
      type: bar
      x: ?{${ref(orders).open}}
      y: ?{${ref(orders).orders}}
charts:
  - {name: regions, insights: ["${ref(by_region)}"]}
  - {name: states, insights: ["${ref(by_status)}"]}
dashboards:
  - name: main
    rows: [{height: medium, items: [{chart: "${ref(regions)}"}, {chart: "${ref(states)}"}]}]
"""


@pytest.fixture(autouse=True)
def _one_session(spark: SparkSession) -> None:
    """Builds take the session that is there."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "sql").mkdir()
    (folder / "sql" / "load.sql").write_text(LOAD)
    (folder / "bi").mkdir()
    (folder / "bi" / "project.visivo.yml").write_text(PROJECT)
    (folder / "bi" / "shown.visivo.yml").write_text(SHOWN)
    before = Path.cwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


def built(output: str = "lineage") -> Built:
    return build(Corpus(["sql", "bi"], dialect="duckdb"), output)


@pytest.fixture(scope="module")
def graph(corpus: Path, spark: SparkSession) -> Graph:
    built()
    return headwater.open("lineage")


def test_a_property_comes_from_the_columns_below(graph: Graph) -> None:
    """`SELECT *` of the model is what the script makes of raw_orders."""
    found = {str(each.what) for each in graph.upstream("insight.by_region.y").columns()}
    assert {
        "shop.metric.average.value",
        "shop.metric.orders.revenue.value",
        "shop.metric.orders.orders.value",
        "shop.model.orders.amount",
        "warehouse.raw_orders.amount",
        "landing.orders.cents",
        "shop.model.orders.id",
        "warehouse.raw_orders.id",
        "landing.orders.id",
    } == found


def test_a_metric_may_be_asked_for_by_its_name_alone(graph: Graph) -> None:
    assert str(graph.column("metric.orders.revenue")) == "shop.metric.orders.revenue.value"
    assert graph.column("metric.average").table.kind == "metric"
    assert graph.table("dashboard.main").kind == "dashboard"


def test_a_column_reaches_the_dashboard(graph: Graph) -> None:
    reached = {str(each.what) for each in graph.downstream("landing.orders.cents").columns()}
    assert "shop.dashboard.main.regions" in reached
    assert "shop.dashboard.main.states" not in reached


def test_what_breaks_and_what_does_not(graph: Graph) -> None:
    """Without `status` the dimension fails, and what shows it; the other chart of the dashboard does not."""
    hits = {str(hit.column): hit.verdict for hit in graph.impact("warehouse.raw_orders.status", "drop").hits}
    assert hits["shop.dimension.orders.open.value"] in ("breaking", "maybe")
    assert "shop.insight.by_status.x" in hits
    assert "shop.dashboard.main.states" in hits
    assert not {column for column in hits if "region" in column or "average" in column}


def test_places_are_those_of_the_objects(graph: Graph) -> None:
    (hop,) = graph.upstream("metric.orders.revenue", depth=1).hops
    assert (str(hop.source), hop.expression) == ("shop.model.orders.amount", "SUM(amount)")
    assert str(hop.place) == "bi/project.visivo.yml:11"


def test_a_changed_metric_is_built_again_and_nothing_else(corpus: Path) -> None:
    first = built("again")
    file = corpus / "bi" / "project.visivo.yml"
    file.write_text(PROJECT.replace("SUM(amount)", "SUM(amount + user_id)"))
    try:
        second = built("again")
        assert second.summary.reused == first.summary.distinct - 1
        whole = built("whole")
        assert second.snapshot.digest() == whole.snapshot.digest()
    finally:
        file.write_text(PROJECT)
