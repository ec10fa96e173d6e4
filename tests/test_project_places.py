"""Where diagnostics and columns of projects stand: in the template that the user edits, or at the object where that is not known."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from headwater.lineage.column_level import Eliminator
from headwater.project.lineage import project_lineage
from headwater.project.read import read_project
from headwater.project.resolved import MADE

EXAMPLES = Path(__file__).parent.parent / "examples"
ORDERS = "models/staging/stg_orders.sql"
COMPILED = """\
select
    order_id,
    customer_id,
    ordered_at,
    lower(status) as status,
    {amount} as amount,
    is_gift
from "shop"."raw"."orders"
where ordered_at >= '2025-01-01'
"""


def places(folder: Path, table: str) -> dict[str, str | None]:
    """The place of each column of a table."""
    found: dict[str, str | None] = {}
    for statement, made in project_lineage(read_project(folder)).statements:
        if statement.entity[-1] != table:
            continue
        for resolution in (each.resolution for each in made):
            for number, sources in Eliminator(resolution).numbered():
                for _, _, (expression, span) in sources:
                    if expression:
                        found[resolution.columns[number][1]] = (
                            str(statement.places.position(span.start)) if span and statement.places else None
                        )
    return found


def with_manifest(folder: Path, **told: str) -> Path:
    """A copy of the example with a manifest that has one model of it, compiled."""
    project = folder / "shop"
    shutil.copytree(EXAMPLES / "dbt", project, ignore=shutil.ignore_patterns("target", "logs", "*.duckdb"))
    node = {
        "unique_id": "model.bean_shop.stg_orders",
        "name": "stg_orders",
        "resource_type": "model",
        "package_name": "bean_shop",
        "original_file_path": ORDERS,
        "relation_name": '"shop"."staging"."stg_orders"',
        "config": {"materialized": "view"},
        **told,
    }
    metadata = {
        "dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json",
        "project_name": "bean_shop",
        "adapter_type": "duckdb",
    }
    (project / "target").mkdir()
    content = {"metadata": metadata, "nodes": {node["unique_id"]: node}, "sources": {}, "macros": {}}
    (project / "target" / "manifest.json").write_text(json.dumps(content))
    return project


IN_TEMPLATE = {
    "order_id": "2:5",
    "customer_id": "3:5",
    "ordered_at": "4:5",
    "status": "5:5",
    "amount": "6:5",
    "is_gift": "7:5",
}


def test_a_project_that_is_not_compiled() -> None:
    assert places(EXAMPLES / "dbt", "stg_orders") == IN_TEMPLATE


def test_a_query_below_settings() -> None:
    assert places(EXAMPLES / "dbt", "revenue_by_day") == {"day": "3:8", "revenue": "3:41"}


@pytest.mark.parametrize("amount", ["round(amount_cents / 100.0, 2)", "a_macro_of_another_version(amount_cents, 2)"])
def test_compiled_code_has_the_same_places(tmp_path: Path, amount: str) -> None:
    template = (EXAMPLES / "dbt" / ORDERS).read_text()
    project = with_manifest(tmp_path, compiled_code=COMPILED.format(amount=amount), raw_code=template.strip())
    assert places(project, "stg_orders") == IN_TEMPLATE


def test_an_old_manifest_has_other_words(tmp_path: Path) -> None:
    project = with_manifest(tmp_path, compiled_sql=COMPILED.format(amount="round(amount_cents / 100.0, 2)"))
    assert places(project, "stg_orders") == IN_TEMPLATE


def test_a_file_that_has_changed_since_is_not_pointed_into(tmp_path: Path) -> None:
    code = COMPILED.format(amount="round(amount_cents / 100.0, 2)")
    project = with_manifest(tmp_path, compiled_code=code, raw_code="select an_older_one")
    assert set(places(project, "stg_orders").values()) == {None}


def test_code_that_the_template_cannot_have_made_has_no_places(tmp_path: Path) -> None:
    project = with_manifest(tmp_path, compiled_code="select order_id from elsewhere")
    assert places(project, "stg_orders") == {"order_id": None}


def test_diagnostics_stand_where_the_user_looks(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    shutil.copytree(EXAMPLES / "dbt", project, ignore=shutil.ignore_patterns("target", "logs", "*.duckdb"))
    (project / "models" / "marts" / "wrong.sql").write_text(
        "{{ config(tags=['x']) }}\n\nselect\n"
        "    {{ cents_to_euros('nothing') }} as a,\n"
        "    o.nowhere as b\n"
        "from {{ ref('orders') }} as o\n"
    )
    (project / "models" / "marts" / "broken.sql").write_text("select\n  {{ 1 / 0 }}")
    made = project_lineage(read_project(project)).diagnostics()
    found = {(place.line, place.column, said.message) for said, place in made if "marts/" in place.path}
    assert found == {
        (4, 5, f"no table in FROM has a column nothing ({MADE})"),
        (5, 5, "memory.main.orders has no column nowhere"),
        (2, 1, "model.bean_shop.broken cannot be rendered: line 2: the template cannot be rendered: division by zero"),
    }


def test_visivo_keeps_the_places_of_its_objects() -> None:
    made = project_lineage(read_project(EXAMPLES / "visivo")).statements
    assert made
    assert all(statement.places is None for statement, _ in made)
    assert all(each.resolution.locate(None) is None for _, resolved in made for each in resolved)
