"""The dbt example end to end, built by real dbt: every dimension, measure and metric down to its physical columns, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.project.read import read_project
from headwater.project.resolver import Resolver
from test_project_examples import without_lineage

pytestmark = pytest.mark.slow

AMOUNT = {"orders.amount_cents"}
VALUES = {
    "orders.order": {"orders.order_id"},
    "orders.customer": {"orders.customer_id"},
    "orders.ordered_at": {"orders.ordered_at"},
    "orders.status": {"orders.status"},
    "orders.is_large": AMOUNT,
    "orders.order_total": AMOUNT,
    "orders.order_count": {"orders.order_id"},
    "orders.buyers": {"orders.customer_id"},
    "orders.gifts": {"orders.is_gift"},
    "orders.typical_amount": AMOUNT,
    "orders.mean_amount": AMOUNT,
    "customers.customer": {"customers.customer_id"},
    "customers.region": {"countries.region"},
    "visits.visit": {"visits.visit_id"},
    "visits.customer": {"visits.customer_id"},
    "visits.visited_at": {"visits.visited_at"},
    "visits.visit_count": {"visits.visit_id"},
    "balances.customer": {"orders.customer_id"},
    "balances.balance_date": {"orders.ordered_at"},
    "balances.closing_balance": AMOUNT,
    "revenue": AMOUNT,
    "orders": {"orders.order_id"},
    "large_european_revenue": AMOUNT,
    "revenue_per_order": {"orders.amount_cents", "orders.order_id"},
    "revenue_per_order__denominator": {"orders.order_id"},
    "revenue_growth": AMOUNT,
    "revenue_so_far": AMOUNT,
    "visits_that_bought": {"visits.visit_id", "orders.order_id"},
    "balance": AMOUNT,
    "orders_of_loyal_customers": {"orders.order_id"},
    "mean_amount": AMOUNT,
}
"""Of every dimension, measure and metric, the columns of sources and seeds that its values come from."""
JOINED = {"orders.customer_id", "customers.customer_id", "customers.country", "countries.country_code"}
"""What orders are joined to their countries by: of an order without a customer nothing is lost, but of one with two there are two."""
INFLUENCES = {
    "orders.order_total": {*JOINED, "orders.ordered_at"},
    "revenue": {*JOINED, "orders.ordered_at", "orders.status"},
}


@pytest.fixture(scope="module")
def shop(dbt_shop: Path) -> Resolver:
    return Resolver(read_project(dbt_shop))


def ends(columns: tuple[str, ...]) -> set[str]:
    """Columns by their table's and their own name; the till's orders are till_orders in the database."""
    return {".".join(column.split(".")[-2:]).removeprefix("till_") for column in columns}


def test_it_has_no_findings(shop: Resolver) -> None:
    assert [str(said) for said in shop.lineage.diagnostics()] == []


def test_every_field_by_hand(shop: Resolver) -> None:
    fields = {field.full_name for field in shop.lineage.compiled.project.fields}
    assert {name: ends(shop.resolve(name).columns) for name in sorted(fields)} == VALUES


@pytest.mark.parametrize("name", INFLUENCES)
def test_what_else_decides(name: str, shop: Resolver) -> None:
    assert ends(shop.resolve(name).influences) == INFLUENCES[name]


def test_nothing_is_without_lineage(shop: Resolver) -> None:
    assert without_lineage(shop.lineage) == []
