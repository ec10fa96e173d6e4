"""A build of a dbt project: places in the store, in checks, in exports and in the explorer are those of the templates."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import headwater
from command import Run
from headwater.check.stored import StoredProject
from headwater.graph import Graph
from headwater.pipeline.corpus import Corpus, build

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

ORDERS = """\
{{ config(materialized='table') }}
{%- set password = 'hunter22' %}

select
    id,
    {{ euros('cents') }} as amount,
    {% for side in ['left', 'right'] -%}
    {{ side }}_value as {{ side }},
    {% endfor -%}
    upper(status)
        as status
from {{ source('raw', 'orders') }}
"""
WRONG = """\
{# Two columns that are not there. #}
select
    {{ euros('nothing') }} as a,
    -- headwater: ignore[unresolved-column]
    o.never as b,
    o.nowhere as c
from {{ ref('orders') }} as o
"""


@pytest.fixture(autouse=True)
def _one_session(spark: SparkSession) -> None:
    """Builds take the session that is there."""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> Iterator[Graph]:
    folder = tmp_path_factory.mktemp("shop")
    for name in ("models", "macros"):
        (folder / "shop" / name).mkdir(parents=True)
    (folder / "shop" / "dbt_project.yml").write_text("name: shop\nprofile: shop\n")
    (folder / "shop" / "profiles.yml").write_text(
        "shop: {target: dev, outputs: {dev: {type: duckdb, path: s.db, schema: main}}}\n"
    )
    (folder / "shop" / "macros" / "euros.sql").write_text("{% macro euros(c) %}round({{ c }} / 100){% endmacro %}")
    (folder / "shop" / "models" / "orders.sql").write_text(ORDERS)
    (folder / "shop" / "models" / "wrong.sql").write_text(WRONG)
    before = Path.cwd()
    os.chdir(folder)
    build(Corpus(["shop"], dialect="duckdb"), "lineage")
    yield headwater.open("lineage")
    os.chdir(before)


def places(graph: Graph, column: str) -> set[tuple[str, str]]:
    """Where a column is made, and by what."""
    return {
        (f"{hop.place.path}:{hop.place.line}:{hop.place.column}-{hop.end}", hop.expression)
        for hop in graph.upstream(column).hops
        if hop.place is not None
    }


@pytest.mark.parametrize(
    ("column", "place", "expression"),
    [
        ("id", "5:5-5:7", "id"),
        ("amount", "6:5-6:25", "round(cents / 100)"),
        ("left", "8:5-8:21", "left_value"),
        ("right", "8:5-8:21", "right_value"),
        ("status", "10:5-10:18", "upper(status)"),
    ],
)
def test_a_relation_stands_in_the_template(graph: Graph, column: str, place: str, expression: str) -> None:
    assert places(graph, f"s.main.orders.{column}") == {(f"shop/models/orders.sql:{place}", expression)}


def test_the_explorer_shows_the_template_without_its_secrets(graph: Graph) -> None:
    process = next(hop.process for hop in graph.upstream("s.main.orders.id").hops)
    assert process is not None
    assert process.place is not None
    assert (process.place.line, process.place.column) == (4, 1)
    text = graph.scripts.text(process.place.script, 1, 100)
    assert "hunter22" not in text.text
    assert "{{ euros('cents') }} as amount" in text.text
    (standing,) = text.statements
    assert (str(standing.start), str(standing.end)) == ("4:1", "12:35")


def test_diagnostics_stand_in_the_template(graph: Graph) -> None:
    said = {each.message: each.where for each in StoredProject(graph).diagnostics() if each.subject}
    found = {message: f"{where.start}-{where.end}" for message, where in said.items()}
    assert found == {
        "no table in FROM has a column nothing (in the text that the template makes here)": "3:5-3:27",
        "s.main.orders has no column never": "5:5-5:12",
        "s.main.orders has no column nowhere": "6:5-6:14",
    }


def test_check_shows_the_line_and_heeds_comments(graph: Graph, run: Run) -> None:
    ran = run("check", "--store", "lineage", "--select", "unresolved-column")
    assert "shop/models/wrong.sql:6:5: warning[unresolved-column] s.main.orders has no column nowhere" in ran.out
    assert "6 |     o.nowhere as c" in ran.out
    assert "column never" not in ran.out
    ran = run("check", "--store", "lineage", "--select", "unresolved-column", "-f", "sarif")
    results = json.loads(ran.out)["runs"][0]["results"]
    regions = [each["locations"][0]["physicalLocation"]["region"] for each in results if not each.get("suppressions")]
    assert [(region["startLine"], region["startColumn"]) for region in regions] == [(3, 5), (6, 5)]


def test_exports_have_the_places(graph: Graph, run: Run) -> None:
    ran = run("export", "lineage", "-f", "json")
    assert '"start": [6, 5]' in json.dumps(json.loads(ran.out))


def test_a_project_is_checked_without_a_store(graph: Graph, run: Run) -> None:
    ran = run("project", "check", "shop")
    assert "shop/models/wrong.sql:6:5: warning[unresolved-column]" in ran.out
