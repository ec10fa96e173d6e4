"""Real projects end to end: every metric down to its physical columns, by hand, and no expression without lineage or a reason."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from headwater.lineage.lineage import StatementLineage
from headwater.model.entity import PSEUDO_ROWS
from headwater.project.lineage import ProjectLineage
from headwater.project.read import read_project
from headwater.project.resolver import Resolver

ROOT = Path(__file__).parent.parent
SHARED = Path(os.environ.get("HEADWATER_SHARED", ROOT.parent / "shared")) / "corpora" / "visivo"
ENVIRONMENT = {"SHOP_SCHEMA": "public", "LOGISTICS_SCHEMA": "logistics"}

SHOP = "shop.public"
CORNER_SHOP = {
    "customers.joined_month": ({"customers.joined_on"}, set()),
    "customers.customer_count": (set(), set()),
    "orders.net": ({"orders.amount", "orders.discount"}, {"orders.status"}),
    "orders.ordered_on": ({"orders.ordered_at"}, {"orders.status"}),
    "orders.size_class": ({"orders.amount", "orders.discount"}, {"orders.status"}),
    "orders.revenue": ({"orders.amount", "orders.discount"}, {"orders.status"}),
    "orders.order_count": ({"orders.id"}, {"orders.status"}),
    "orders.average_order": ({"orders.amount", "orders.discount", "orders.id"}, {"orders.status"}),
    "order_items.units": ({"order_items.quantity"}, set()),
    "returns.refunds": ({"returns.refund"}, set()),
    "region_and_size": (
        {"stores.region", "orders.amount", "orders.discount"},
        {"orders.status", "orders.store_id", "stores.id", "stores.manager_id", "employees.id"},
    ),
    "revenue_per_customer": (
        {"orders.amount", "orders.discount"},
        {"orders.status", "orders.customer_id", "customers.id"},
    ),
    "margin": (
        {"order_items.quantity", "order_items.price", "products.cost"},
        {"order_items.product_id", "products.id"},
    ),
    "kept_share": (
        {"returns.refund", "orders.amount", "orders.discount"},
        {"orders.status", "orders.id", "returns.order_id"},
    ),
    "kept_per_customer": (
        {"returns.refund", "orders.amount", "orders.discount"},
        {"orders.status", "orders.id", "returns.order_id", "orders.customer_id", "customers.id"},
    ),
}
"""Of every dimension and metric of the example: where its values come from, and what else decides."""


@pytest.fixture(scope="module")
def corner_shop() -> Resolver:
    return Resolver(read_project(ROOT / "examples" / "visivo", ENVIRONMENT))


def test_the_example_has_no_findings(corner_shop: Resolver) -> None:
    assert [str(said) for said in corner_shop.lineage.diagnostics()] == []


def test_no_field_of_the_example_is_forgotten(corner_shop: Resolver) -> None:
    project = corner_shop.lineage.compiled.project
    assert {field.full_name for field in project.fields} == set(CORNER_SHOP)


@pytest.mark.parametrize("reference", CORNER_SHOP)
def test_a_field_of_the_example(reference: str, corner_shop: Resolver) -> None:
    values, influences = CORNER_SHOP[reference]
    found = corner_shop.resolve(reference)
    assert set(found.columns) == {f"{SHOP}.{column}" for column in values}
    assert set(found.influences) == {f"{SHOP}.{column}" for column in influences}


def without_lineage(lineage: ProjectLineage) -> list[str]:
    """Columns that a project's statements make of nothing, not even a constant, and that nothing is said about."""
    lost = []
    for statement, made in lineage.statements:
        name = ".".join(statement.entity)
        for each in made:
            resolution = each.resolution
            if resolution.diagnostics or not resolution.written:
                continue
            sourced = {edge.target for edge in StatementLineage(*each).edges}
            columns = {column for owner, column, _ in resolution.columns if owner in resolution.written}
            tables = {".".join(table) for owner in resolution.written if (table := resolution.entities[owner].table)}
            named = {ref.column for ref in sourced if ref.table in (name, *tables)}
            lost += [f"{name}.{column}" for column in sorted(columns - named - {PSEUDO_ROWS})]
    return lost


def test_every_expression_of_the_example_has_lineage(corner_shop: Resolver) -> None:
    assert without_lineage(corner_shop.lineage) == []


CORPORA = {
    "demo": {},
    "complex-project": {},
    "integration": {
        "local_test_table.x_sum": {"local-duckdb.test_table.x"},
        "local_test_table.x_rounded": {"local-duckdb.test_table.x"},
        "another_local_test_table.new_y_sum": {"local-duckdb.test_table.x", "local-duckdb.test_table.y"},
        "another_local_test_table.new_x_rounded": {"local-duckdb.test_table.x", "local-duckdb.test_table.y"},
        "daily_metrics.formatted_date": {"local-duckdb.test_table.x"},
        "daily_metrics.total_value": {"local-duckdb.test_table.y"},
        "daily_metrics.avg_value": {"local-duckdb.test_table.y"},
        "composite_metric": {"local-duckdb.test_table.x", "local-duckdb.test_table.y"},
    },
}
"""Of every dimension and metric of Visivo's own projects, where its values come from."""
INSIGHTS = {
    ("complex-project", "percent_exports.values"): {"coffee-export-source.coffee_export.kilograms"},
    ("complex-project", "top_exporters.x"): {"coffee-export-source.coffee_export.year"},
    ("complex-project", "top_importers.split"): {
        "coffee-import-source.coffee_import.country",
        "coffee-import-source.coffee_import.kilograms",
    },
    ("demo", "Fibonacci Waterfall Trace.y"): {
        "waterfall model-source.appl_pl.thousands_dollars",
        "waterfall model-source.appl_pl.sign",
    },
    ("demo", "Simple Bar.x"): {"echo csv-source.csv.x"},
}


@pytest.fixture(scope="module")
def corpora() -> dict[str, Resolver]:
    if not SHARED.is_dir():
        pytest.skip("Visivo's own projects are not here")
    return {name: Resolver(read_project(SHARED / name, {})) for name in CORPORA}


@pytest.mark.slow
@pytest.mark.parametrize("name", CORPORA)
def test_fields_of_real_projects(name: str, corpora: dict[str, Resolver]) -> None:
    resolver = corpora[name]
    fields = {field.full_name for field in resolver.lineage.compiled.project.fields}
    assert {field: set(resolver.resolve(field).columns) for field in fields} == CORPORA[name]


@pytest.mark.parametrize(("name", "reference"), list(INSIGHTS))
def test_properties_of_real_projects(name: str, reference: str, corpora: dict[str, Resolver]) -> None:
    assert set(corpora[name].resolve(reference).columns) == INSIGHTS[name, reference]


@pytest.mark.parametrize("name", CORPORA)
def test_every_expression_of_real_projects_has_lineage_or_a_reason(name: str, corpora: dict[str, Resolver]) -> None:
    assert without_lineage(corpora[name].lineage) == []
