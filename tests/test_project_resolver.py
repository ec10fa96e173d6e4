"""One resolver for columns, dimensions, metrics and properties: what it says is true, its queries run."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import pytest

from headwater.project.names import UnknownReference
from headwater.project.resolver import Resolver
from headwater.project.runnable import Circular
from project_builder import dimension, expression, insight, metric, model, project, relation

SHOP = project(
    model("orders", "SELECT * FROM raw_orders WHERE NOT deleted"),
    model("users", "SELECT id, region FROM raw_users"),
    dimension("year", "EXTRACT(year FROM ordered_at)", "orders"),
    dimension("decade", "CAST(FLOOR(year / 10) * 10 AS INTEGER)", "orders"),
    metric("revenue", "SUM(amount)", "orders"),
    metric("count", "COUNT(*)", "orders"),
    metric("average", "{orders.revenue} / {orders.count}"),
    metric("per_region", "{orders.revenue} / COUNT(DISTINCT {users.region})"),
    replace(metric("large", "{orders.revenue} / {orders.count}"), filters=(expression("{orders.amount} >= 10"),)),
    metric("round_one", "{round_two} + 1"),
    metric("round_two", "{round_one} + 1"),
    relation("by_user", "{orders.user_id} = {users.id}"),
    insight(
        "by_region",
        {"x": "{users.region}", "y": "{orders.revenue}"},
        filters=["{orders.amount} > 1", "{orders.count} > 1"],
    ),
)
RESOLVER = Resolver(SHOP)


@pytest.fixture(scope="module")
def database() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE raw_orders AS SELECT * FROM (VALUES"
        " (1, 1, 10, DATE '2011-03-01', false), (2, 1, 20, DATE '2024-05-01', false),"
        " (3, 2, 1, DATE '2024-06-01', false), (4, 2, 99, DATE '2024-07-01', true), (5, 3, 8, DATE '2025-01-01', false)"
        ") t(id, user_id, amount, ordered_at, deleted)"
    )
    connection.execute("CREATE TABLE raw_users AS SELECT * FROM (VALUES (1, 'EU'), (2, 'US'), (3, 'EU')) t(id, region)")
    return connection


@pytest.mark.parametrize(
    ("reference", "rows"),
    [
        ("orders.revenue", [(39,)]),
        ("orders.count", [(4,)]),
        ("average", [(9.75,)]),
        ("per_region", [(19.5,)]),
        ("large", [(15.0,)]),
        ("orders.decade", [(2010,), (2020,), (2020,), (2020,)]),
        ("orders.amount", [(1,), (8,), (10,), (20,)]),
        ("by_region.y", [("EU", 38)]),
    ],
)
def test_its_queries_run(reference: str, rows: list[tuple[object, ...]], database: duckdb.DuckDBPyConnection) -> None:
    found = RESOLVER.resolve(reference)
    assert sorted(database.execute(found.query).fetchall()) == rows


def test_a_metric_of_metrics_down_to_the_tables() -> None:
    found = RESOLVER.resolve("average")
    assert (found.name, found.kind, found.models) == ("shop.metric.average.value", "metric", ("orders",))
    assert set(found.dependencies) == {"shop.metric.orders.revenue.value", "shop.metric.orders.count.value"}
    assert found.columns == ("shop_db.raw_orders.amount",)
    assert found.influences == ("shop_db.raw_orders.deleted",)
    assert found.sql == '((SUM("orders".amount)) / (COUNT(*)))'


def test_join_columns_decide() -> None:
    found = RESOLVER.resolve("per_region")
    assert found.models == ("orders", "users")
    assert found.columns == ("shop_db.raw_orders.amount", "shop_db.raw_users.region")
    assert set(found.influences) == {
        "shop_db.raw_orders.deleted",
        "shop_db.raw_orders.user_id",
        "shop_db.raw_users.id",
    }


@pytest.mark.parametrize(
    ("reference", "context", "name"),
    [
        ("revenue", "orders", "shop.metric.orders.revenue.value"),
        ("revenue", "", "shop.metric.orders.revenue.value"),
        ("amount", "orders", "shop.model.orders.amount"),
        ("${ref(orders).amount}", "", "shop.model.orders.amount"),
        ("average", "orders", "shop.metric.average.value"),
        ("ORDERS.Revenue", "", "shop.metric.orders.revenue.value"),
    ],
)
def test_ways_to_say_it(reference: str, context: str, name: str) -> None:
    assert RESOLVER.resolve(reference, context).name == name


def test_nothing_of_that_name() -> None:
    with pytest.raises(UnknownReference, match="nothing called ordrs") as error:
        RESOLVER.resolve("ordrs.revenue")
    assert error.value.hint == "did you mean orders?"
    with pytest.raises(UnknownReference, match="is a model"):
        RESOLVER.resolve("orders")
    with pytest.raises(UnknownReference, match="no property z"):
        RESOLVER.resolve("by_region.z")


def test_a_column_that_a_models_query_does_not_give() -> None:
    with pytest.raises(UnknownReference, match="the model users has no column regoin") as error:
        RESOLVER.resolve("users.regoin")
    assert error.value.hint == "did you mean region?"
    with pytest.raises(UnknownReference, match="has no column"):
        RESOLVER.resolve("${ref(users).PseudoRows}")
    assert RESOLVER.resolve("orders.anything").kind == "column"  # its star may have it


def test_a_circle_is_an_error_and_no_hang() -> None:
    with pytest.raises(Circular, match="round_one - round_two - round_one"):
        RESOLVER.resolve("round_one")
