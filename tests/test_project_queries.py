"""Queries that databases have to run: models that are called like tables, constants, models that nothing joins."""

from __future__ import annotations

import re
from dataclasses import replace

import duckdb
import pytest

from headwater.model.diagnostic import Code
from headwater.project.joins import Joins
from headwater.project.names import Names, UnknownReference
from headwater.project.objects import Source
from headwater.project.resolver import Resolver
from headwater.project.runnable import Circular
from headwater.resolve.expression import filtered
from headwater.sql.dialect import dialect
from project_builder import HERE, expression, insight, metric, model, project, relation, showing

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
    insight(
        "windows", {"x": "{orders.day}", "y": "MAX({orders.amount})"}, splits=["RANK() OVER (ORDER BY {orders.day})"]
    ),
    replace(metric("large", "SUM(amount) FILTER (WHERE amount < 9)", "orders"), filters=(expression("amount > 4"),)),
    showing("chart", "some_chart", "windows"),
    insight("apart", {"x": "{orders.amount}", "y": "{months.month}", "z": "{years.year}"}),
)
GRID = range(30)


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
        ("windows.split", [(1, 5, 1)]),
        ("orders.large", [(5,)]),
        ("apart.x", [(5, 7, 2024)]),
    ],
)
def test_they_run(reference: str, rows: list[tuple[object, ...]], database: duckdb.DuckDBPyConnection) -> None:
    assert database.execute(Resolver(LIKE_TABLES).resolve(reference).query).fetchall() == rows


def test_ways_through_a_grid_of_relations_are_not_tried_one_by_one() -> None:
    models = [model(f"{row}_{side}", "SELECT a FROM t") for row in GRID for side in "xy"]
    sides = [(one, other) for one in "xy" for other in "xy"]
    relations = [
        relation(f"{row}{one}{other}", f"{{{row}_{one}.a}} = {{{row + 1}_{other}.a}}")
        for row in GRID[:-1]
        for one, other in sides
    ]
    names = Names(project(*models))
    joined = Joins(relations, names).join([models[0], models[-1]])
    assert [join.model.name for join in joined.joins] == [*(f"{row}_x" for row in GRID[1:-1]), "29_y"]
    assert [problem.code for problem in joined.problems] == [Code.AMBIGUOUS_JOIN]


@pytest.mark.slow
def test_a_long_chain_of_metrics_has_lineage_and_no_query() -> None:
    chain = [metric(f"m{n}", f"{{m{n - 1}}} + 1") for n in range(1000, 0, -1)]
    made = project(model("orders", "SELECT a FROM t"), *chain, metric("m0", "SUM({orders.a})"))
    found = Resolver(made).resolve("m1000")
    assert found.columns == ("shop_db.t.a",)
    assert (found.sql, found.query, found.models) == ("${m999} + 1", "", ("orders",))
    assert Resolver(made).resolve("m50").query.count(" + 1)") == 50


def test_metrics_that_use_others_twice_do_not_double_the_work() -> None:
    chain = [metric(f"m{n}", f"{{m{n - 1}}} / {{m{n - 1}}}") for n in range(1, 60)]
    made = project(model("orders", "SELECT a FROM t"), metric("m0", "SUM({orders.a})"), *chain)
    found = Resolver(made).resolve("m59")
    assert (found.columns, found.query, found.models) == (("shop_db.t.a",), "", ("orders",))


def test_splits_are_written_out() -> None:
    assert Resolver(LIKE_TABLES).resolve("windows.split").sql == 'RANK() OVER (ORDER BY "orders".day)'


def test_what_is_shown_as_a_whole_is_asked_for_by_its_parts() -> None:
    resolver = Resolver(LIKE_TABLES)
    with pytest.raises(UnknownReference, match="windows is a whole insight") as error:
        resolver.resolve("windows")
    assert error.value.hint == "name a part of it: windows.x, windows.y, windows.split"
    with pytest.raises(UnknownReference, match="some_chart is a whole chart") as error:
        resolver.resolve("some_chart")
    assert error.value.hint == "name a part of it: some_chart.windows"
    found = resolver.resolve("some_chart.windows")
    assert (found.sql, found.query) == ("some_chart.windows", "")
    assert found.columns == ("shop_db.orders.amount", "shop_db.orders.day")


def test_properties_in_a_circle_are_an_error_and_no_hang() -> None:
    circle = project(insight("one", {"x": "{two.x} + 1"}), insight("two", {"x": "{one.x} + 1"}))
    with pytest.raises(Circular, match=r"one\.x - two\.x - one\.x"):
        Resolver(circle).resolve("one.x")


AGGREGATES = (
    "SUM(amount)",
    "COUNT(*)",
    "COUNT(DISTINCT amount)",
    "SUM(amount) / NULLIF(COUNT(*), 0)",
    "MAX(amount + 1)",
    "MEDIAN(amount)",
    "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY amount)",
    "STRING_AGG(amount, '-')",
    "SUM(amount) FILTER (WHERE amount < 5)",
)


@pytest.mark.parametrize("text", AGGREGATES)
@pytest.mark.parametrize("condition", ["amount > 1", "amount > 1 AND amount < 3", "amount > 9", "amount IS NULL"])
def test_a_filter_means_the_same_without_filter(text: str, condition: str, database: duckdb.DuckDBPyConnection) -> None:
    """DuckDB is asked both, as if it had FILTER and as if it had not."""
    with_filter = filtered(text, condition, dialect("duckdb"))
    without = filtered(text, condition, replace(dialect("duckdb"), aggregate_filter=False))
    assert (" FILTER" in with_filter, " FILTER" in without, "CASE WHEN" in without) == (True, False, True)
    rows = "(SELECT amount FROM orders UNION ALL SELECT NULL)"
    expected = database.execute(f"SELECT {with_filter} FROM {rows}").fetchall()
    assert database.execute(f"SELECT {without} FROM {rows}").fetchall() == expected


@pytest.mark.parametrize(
    "name", ["bigquery", "db2", "hive", "mysql", "oracle", "redshift", "snowflake", "teradata", "tsql"]
)
def test_databases_without_filter_are_asked_without_it(name: str) -> None:
    source = Source("db", name, HERE)
    large = replace(metric("large", "SUM(amount) / COUNT(*)", "orders"), filters=(expression("amount > 4"),))
    query = Resolver(project(model("orders", "SELECT amount FROM raw", source), large)).resolve("orders.large").query
    assert "FILTER" not in query
    plain = re.sub(r'["`\[\]]', "", query).lower()
    assert "sum(case when (orders.amount > 4) then orders.amount end)" in plain
    assert "count(case when (orders.amount > 4) then 1 end)" in plain


@pytest.mark.parametrize("name", ["postgres", "spark", "trino", "sqlite", "clickhouse"])
def test_databases_with_filter_are_asked_with_it(name: str) -> None:
    found = filtered("SUM(a)", "b > 0", dialect(name))
    assert found.upper() == "SUM(A) FILTER(WHERE B > 0)"


def test_a_filter_stands_behind_a_group_of_its_own() -> None:
    found = filtered("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a)", "b > 0", dialect("postgres"))
    assert found == "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a) FILTER(WHERE b > 0)"
