"""Queries that databases have to run: models that are called like tables, constants, models that nothing joins."""

from __future__ import annotations

import duckdb
import pytest

from headwater.project.resolver import Resolver
from project_builder import insight, metric, model, project, relation

LIKE_TABLES = project(
    model("orders", "SELECT * FROM orders WHERE amount > 2"),
    model("Days", "SELECT day, COUNT(*) AS orders FROM Orders GROUP BY day"),
    model("months", "SELECT 7 AS month"),
    model("years", "SELECT 7 AS month, 2024 AS year"),
    relation("by_day", "{orders.day} = {Days.day}"),
    relation("by_month", "{months.month} = {years.month}"),
    metric("all_orders", "SUM({Days.orders})"),
    metric("share", "COUNT({orders.amount}) / SUM(DISTINCT {Days.orders})"),
    insight("constants", {"w": "MAX({orders.amount})", "x": "1", "y": "'a'", "z": "CAST(-2 AS INTEGER)"}),
    insight("apart", {"x": "{orders.amount}", "y": "{months.month}", "z": "{years.year}"}),
)


@pytest.fixture(scope="module")
def database() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE orders AS SELECT * FROM (VALUES (1, 5), (1, 1), (1, 2), (1, 1)) t(day, amount)")
    return connection


@pytest.mark.parametrize(
    ("reference", "rows"),
    [
        ("all_orders", [(4,)]),
        ("share", [(0.25,)]),
        ("constants.x", [(5, 1, "a", -2)]),
        ("apart.z", [(5, 7, 2024)]),
    ],
)
def test_they_run(reference: str, rows: list[tuple[object, ...]], database: duckdb.DuckDBPyConnection) -> None:
    assert database.execute(Resolver(LIKE_TABLES).resolve(reference).query).fetchall() == rows
