"""Semantic layers: dimensions, metrics, insights, charts and dashboards, and what they are made of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from headwater.model.diagnostic import Code
from headwater.model.entity import EntityKind
from headwater.project.known_tables import known_tables
from headwater.project.lineage import ProjectLineage, project_lineage
from headwater.project.objects import Place, Presentation, Project, Property, Relation, Source
from headwater.sql.dialect import dialect
from project_builder import HERE, dimension, expression, insight, metric, model, project, relation, showing

ORDERS = model("orders", "SELECT id, user_id, amount, status, ordered_at FROM raw_orders WHERE NOT deleted")
USERS = model("users", "SELECT id, name, region FROM raw_users")
BY_USER = relation("by_user", "{orders.user_id} = {users.id}", join="left")
REVENUE = metric("revenue", "SUM(amount)", "orders")


def edges(lineage: ProjectLineage, target: str) -> set[str]:
    """What flows into a column, and how: `source type subtype`."""
    found = (edge for edge in lineage.lineage.column_edges() if str(edge.target) == target)
    return {f"{edge.source} {edge.type} {edge.subtype or '-'}" for edge in found}


def said(lineage: ProjectLineage) -> list[tuple[Code, str]]:
    return [(diagnostic.code, diagnostic.subject) for diagnostic, _ in lineage.diagnostics()]


def of(*objects: object, **more: object) -> ProjectLineage:
    made: Project = project(*objects, **more)  # type: ignore[arg-type]
    return project_lineage(made)


def test_a_metric_comes_from_the_column_that_it_aggregates() -> None:
    lineage = of(ORDERS, REVENUE)
    assert edges(lineage, "shop.metric.orders.revenue.value") == {
        "shop.model.orders.amount fdd AGGREGATION",
        "shop.model.orders.PseudoRows fdr -",
    }
    assert edges(lineage, "shop.model.orders.amount") == {"shop_db.raw_orders.amount fdd IDENTITY"}
    assert said(lineage) == []


def test_a_model_reads_tables_of_its_source() -> None:
    """Tables without a schema are the source's; those with one are what they are called."""
    lineage = of(model("m", "SELECT a.x, b.y FROM a JOIN other.b ON a.i = b.i"))
    assert edges(lineage, "shop.model.m.x") == {"shop_db.a.x fdd IDENTITY"}
    assert edges(lineage, "shop.model.m.y") == {"other.b.y fdd IDENTITY"}


def test_a_dimension_of_a_dimension() -> None:
    """`month` in the second expression is the dimension, since the model has no such column."""
    month = dimension("month", "date_trunc('month', ordered_at)", "orders")
    quarter = dimension("quarter", "date_trunc('quarter', month)", "orders")
    lineage = of(ORDERS, quarter, month)
    assert edges(lineage, "shop.dimension.orders.quarter.value") == {
        "shop.dimension.orders.month.value fdd TRANSFORMATION"
    }
    assert edges(lineage, "shop.dimension.orders.month.value") == {"shop.model.orders.ordered_at fdd TRANSFORMATION"}


def test_a_dimension_that_is_called_like_its_column_means_the_column() -> None:
    lineage = of(ORDERS, dimension("amount", "ROUND(amount, 2)", "orders"))
    assert edges(lineage, "shop.dimension.orders.amount.value") == {"shop.model.orders.amount fdd TRANSFORMATION"}


def test_a_metric_of_metrics_takes_the_join_of_their_models_into_account() -> None:
    count = metric("users", "COUNT(DISTINCT id)", "users")
    lineage = of(ORDERS, USERS, BY_USER, REVENUE, count, metric("per_user", "{orders.revenue} / {users.users}"))
    values = {each for each in edges(lineage, "shop.metric.per_user.value") if " fdd " in each}
    assert values == {
        "shop.metric.orders.revenue.value fdd TRANSFORMATION",
        "shop.metric.users.users.value fdd TRANSFORMATION",
    }
    rows = edges(lineage, "shop.metric.per_user.PseudoRows")
    assert {"shop.model.orders.user_id fdr JOIN", "shop.model.users.id fdr JOIN"} <= rows
    assert said(lineage) == []


def test_what_decides_over_one_metric_does_not_decide_over_another() -> None:
    """Each metric has rows of its own: the join of one is not the other's."""
    count = metric("users", "COUNT(DISTINCT id)", "users")
    lineage = of(
        ORDERS, USERS, BY_USER, REVENUE, count, metric("per_user", "{orders.revenue} / {users.users}"),
        metric("twice", "{orders.revenue} * 2"),
    )  # fmt: skip
    assert edges(lineage, "shop.metric.twice.PseudoRows") == set()


def test_an_insight_groups_by_what_does_not_aggregate() -> None:
    shown = insight("by_status", {"x": "{orders.status}", "y": "{orders.revenue}"}, ["{orders.amount} > 0"])
    lineage = of(ORDERS, REVENUE, shown)
    assert edges(lineage, "shop.insight.by_status.x") == {"shop.model.orders.status fdd IDENTITY"}
    assert edges(lineage, "shop.insight.by_status.y") == {
        "shop.metric.orders.revenue.value fdd AGGREGATION",
        "shop.metric.orders.revenue.PseudoRows fdr FILTER",
        "shop.model.orders.status fdr GROUP_BY",
    }
    assert edges(lineage, "shop.insight.by_status.PseudoRows") == {
        "shop.model.orders.PseudoRows fdr -",
        "shop.model.orders.amount fdr FILTER",
        "shop.model.orders.status fdr GROUP_BY",
    }


def test_a_filter_on_a_metric_decides_over_groups() -> None:
    shown = insight("by_status", {"x": "{orders.status}", "y": "COUNT({orders.id})"}, ["{orders.revenue} > 100"])
    lineage = of(ORDERS, REVENUE, shown)
    assert "shop.metric.orders.revenue.value fdr FILTER" in edges(lineage, "shop.insight.by_status.PseudoRows")


def test_splits_and_sorts_are_columns_of_an_insight() -> None:
    shown = insight("i", {"y": "SUM({orders.amount})"}, sorts=["{orders.ordered_at} DESC"], splits=["{orders.status}"])
    lineage = of(ORDERS, shown)
    assert edges(lineage, "shop.insight.i.split") == {"shop.model.orders.status fdd IDENTITY"}
    assert edges(lineage, "shop.insight.i.sort") == {"shop.model.orders.ordered_at fdd WINDOW"}


def test_a_property_over_two_models_is_joined() -> None:
    lineage = of(ORDERS, USERS, BY_USER, insight("i", {"x": "{users.region}", "y": "SUM({orders.amount})"}))
    assert edges(lineage, "shop.insight.i.x") == {"shop.model.users.region fdd IDENTITY"}
    rows = edges(lineage, "shop.insight.i.PseudoRows")
    assert {"shop.model.orders.user_id fdr JOIN", "shop.model.users.id fdr JOIN"} <= rows


def test_charts_and_dashboards_show_others() -> None:
    lineage = of(
        ORDERS,
        insight("one", {"y": "{orders.amount}"}),
        insight("two", {"y": "{orders.status}"}),
        showing("chart", "both", "one", "two"),
        showing("dashboard", "main", "both"),
    )
    assert edges(lineage, "shop.chart.both.one") == {
        "shop.insight.one.y fdd TRANSFORMATION",
        "shop.insight.one.PseudoRows fdr FILTER",
    }
    values = {each for each in edges(lineage, "shop.dashboard.main.both") if " fdd " in each}
    assert values == {"shop.chart.both.one fdd TRANSFORMATION", "shop.chart.both.two fdd TRANSFORMATION"}


def test_a_table_of_a_model_has_its_columns() -> None:
    lineage = of(USERS, showing("chart", "people", "users", word="table"))
    assert edges(lineage, "shop.table.people.region") == {"shop.model.users.region fdd IDENTITY"}


def test_something_with_properties_that_shows_others() -> None:
    shown = replace(showing("chart", "c", "one"), properties=insight("", {"title": "MAX({orders.status})"}).properties)
    lineage = of(ORDERS, insight("one", {"y": "{orders.amount}"}), shown)
    assert "shop.model.orders.status fdd AGGREGATION" in edges(lineage, "shop.chart.c.title")
    assert "shop.insight.one.y fdd TRANSFORMATION" in edges(lineage, "shop.chart.c.one")
    assert said(lineage) == []


def test_inputs_decide() -> None:
    """An input that offers values of a column, in a condition, in a string, and as the direction of a sort."""
    offers = insight("limit", {"options": "SELECT DISTINCT amount FROM {orders}"})
    lineage = of(
        ORDERS,
        replace(offers, kind="input", word="input"),
        insight(
            "i",
            {"x": "CASE WHEN {orders.amount} > {limit.value} THEN '{limit.value}' END"},
            filters=["{orders.id} IN ({limit.values})"],
            sorts=["{orders.id} {limit.value}"],
        ),
    )
    assert edges(lineage, "shop.input.limit.options") == {"shop.model.orders.amount fdd IDENTITY"}
    assert "shop.input.limit.options fdd TRANSFORMATION" in edges(lineage, "shop.insight.i.x")
    assert "shop.input.limit.options fdr FILTER" in edges(lineage, "shop.insight.i.PseudoRows")
    assert "shop.input.limit.options fdd WINDOW" in edges(lineage, "shop.insight.i.sort")
    assert said(lineage) == []


def test_entities_have_the_kinds_that_the_project_gives_them() -> None:
    lineage = of(ORDERS, REVENUE, insight("i", {"y": "{orders.revenue}"}), showing("chart", "c", "i"))
    kinds = {
        ".".join(row.table): row.kind
        for _, made in lineage.statements
        for each in made
        for row in each.resolution.entities
        if row.table
    }
    assert kinds["shop.model.orders"] is EntityKind.MODEL
    assert kinds["shop.metric.orders.revenue"] is EntityKind.METRIC
    assert kinds["shop.insight.i"] is EntityKind.INSIGHT
    assert kinds["shop.chart.c"] is EntityKind.CHART
    assert kinds["shop_db.raw_orders"] is EntityKind.TABLE


def test_expressions_are_shown_as_the_project_has_them() -> None:
    lineage = of(
        ORDERS, REVENUE, metric("half", "{orders.revenue} / 2"), insight("i", {"x": "{orders.status}", "y": "{half}"})
    )
    shown = {str(edge.target): edge.expression for edge in lineage.lineage.column_edges(rows="none")}
    assert shown["shop.metric.orders.revenue.value"] == "SUM(amount)"
    assert shown["shop.metric.half.value"] == "orders.revenue / 2"
    assert shown["shop.insight.i.y"] == "half"


def test_an_input_that_chooses_the_direction_of_a_sort_changes_no_other_expression() -> None:
    direction = Presentation("input", "input", "direction", HERE, (Property("options", expression("'ASC'")),))
    ordered = insight("i", {"x": "upper({orders.status})"}, sorts=["{orders.amount} {direction}"])
    shown = {str(edge.target): edge.expression for edge in of(ORDERS, direction, ordered).lineage.column_edges()}
    assert shown["shop.insight.i.x"] == "upper(orders.status)"
    assert shown["shop.insight.i.sort"] == "orders.amount, direction"


def test_dialects_fold_names_their_own_way() -> None:
    """Snowflake's columns are in upper case, the project's own names are not; quotes keep a column's case."""
    snow = Source("snow", "snowflake", HERE)
    orders = model("Orders", 'SELECT amount, "net Amount" FROM raw', snow)
    lineage = of(orders, metric("Revenue", "SUM({Orders.Amount})"), metric("Net", 'SUM({Orders."net Amount"})'))
    assert "shop.model.orders.AMOUNT fdd AGGREGATION" in edges(lineage, "shop.metric.revenue.value")
    assert "shop.model.orders.net Amount fdd AGGREGATION" in edges(lineage, "shop.metric.net.value")


def test_unknown_references_are_said_with_what_was_meant() -> None:
    place = Place("metrics.yml", 7, 3)
    lineage = of(ORDERS, metric("bad", "SUM({ordrs.amount})", place=place), showing("chart", "c", "nothing"))
    found = [(d.code, d.subject, d.hint) for d, _ in lineage.diagnostics()]
    assert (Code.UNKNOWN_REFERENCE, "ordrs.amount", "did you mean orders?") in found
    assert (Code.UNKNOWN_REFERENCE, "nothing", "correct the name, or define what it names") in found
    assert all(code is Code.UNKNOWN_REFERENCE for code, *_ in found)


def test_a_column_that_a_model_does_not_have() -> None:
    lineage = of(USERS, metric("bad", "COUNT({users.nmae})"))
    assert said(lineage) == [(Code.UNRESOLVED_COLUMN, "nmae")]


def test_a_metric_of_itself_is_a_circle() -> None:
    assert said(of(ORDERS, metric("more", "{more} + 1"))) == [(Code.CIRCULAR_REFERENCE, "more")]


def test_a_dimension_that_refers_to_its_own_name_in_its_model_means_the_column() -> None:
    lineage = of(ORDERS, dimension("status", "upper({orders.status})", "orders"))
    assert edges(lineage, "shop.dimension.orders.status.value") == {"shop.model.orders.status fdd TRANSFORMATION"}
    assert said(lineage) == []


def test_what_is_no_expression_is_said_once() -> None:
    assert said(of(ORDERS, metric("empty", "", "orders"))) == [(Code.INVALID_PROJECT, "orders.empty")]
    assert [code for code, _ in said(of(ORDERS, metric("broken", "SUM(", "orders")))] == [Code.SYNTAX_ERROR]


@pytest.mark.parametrize("spoken", ["snowflake", "oracle", "postgres", "bigquery", "clickhouse"])
def test_a_model_may_stand_before_its_columns_without_quotes(spoken: str) -> None:
    orders = model("Orders", "SELECT id FROM raw", Source("db", spoken, HERE))
    lineage = of(orders, metric("largest", "MAX(Orders.id)", "Orders"))
    assert said(lineage) == []
    assert any(edge.startswith("shop.model.orders.") for edge in edges(lineage, "shop.metric.orders.largest.value"))


def test_quotes_tell_a_column_from_a_dimension_of_the_same_letters() -> None:
    orders = model("orders", 'SELECT "Amount" FROM raw', Source("db", "postgres", HERE))
    lineage = of(orders, dimension("amount", '"Amount" / 100', "orders"), metric("all", 'SUM("Amount")', "orders"))
    found = {edge for edge in edges(lineage, "shop.metric.orders.all.value") if " fdd " in edge}
    assert found == {"shop.model.orders.Amount fdd AGGREGATION"}


def test_dimensions_do_not_aggregate_and_metrics_do() -> None:
    lineage = of(
        ORDERS,
        REVENUE,
        dimension("total", "SUM(amount)", "orders"),
        dimension("of_metric", "{orders.revenue} + 1"),
        dimension("running", "SUM(amount) OVER (ORDER BY id)", "orders"),
        metric("plain", "amount * 2", "orders"),
        metric("of_metrics", "{orders.revenue} * 2"),
    )
    assert sorted(said(lineage)) == [
        (Code.AGGREGATE_IN_DIMENSION, "of_metric"),
        (Code.AGGREGATE_IN_DIMENSION, "orders.total"),
        (Code.METRIC_WITHOUT_AGGREGATE, "orders.plain"),
    ]


def test_circles_are_said_and_end() -> None:
    lineage = of(metric("a", "{b} + 1"), metric("b", "{c} + 1"), metric("c", "{a} + 1"), metric("d", "{a} * 2"))
    circles = [d for d, _ in lineage.diagnostics() if d.code is Code.CIRCULAR_REFERENCE]
    assert len(circles) == 1
    assert all(f"metric.{name}" in circles[0].message for name in "abc")
    assert "metric.d" not in circles[0].message


def test_a_metric_that_is_called_like_a_model_with_metrics() -> None:
    """`shop.metric.orders` and `shop.metric.orders.n` are two things, and no circle."""
    lineage = of(ORDERS, metric("n", "COUNT(*)", "orders"), metric("orders", "{orders.n}"))
    assert said(lineage) == []
    found = edges(lineage, "shop.metric.orders.value")
    assert any(each.startswith("shop.metric.orders.n.value fdd") for each in found)


def test_models_are_joined_by_dimensions() -> None:
    key = dimension("key", "user_id % 100", "orders")
    lineage = of(
        ORDERS, USERS, key, relation("by_key", "{orders.key} = {users.id}"),
        insight("i", {"x": "{users.region}", "y": "{orders.amount}"}),
    )  # fmt: skip
    assert said(lineage) == []
    assert "shop.dimension.orders.key.value fdr JOIN" in edges(lineage, "shop.insight.i.PseudoRows")


def test_an_expression_with_a_query_of_its_own() -> None:
    limits = model("limits", "SELECT most FROM raw_limits")
    lineage = of(limits, ORDERS, metric("share", "SUM({orders.amount}) / (SELECT MAX(most) FROM elsewhere.bounds)"))
    assert "elsewhere.bounds.most fdd AGGREGATION" in edges(lineage, "shop.metric.share.value")


def test_a_missing_join_is_said() -> None:
    lineage = of(ORDERS, USERS, insight("i", {"x": "{users.region}", "y": "SUM({orders.amount})"}))
    assert said(lineage) == [(Code.MISSING_JOIN, "orders")]
    assert edges(lineage, "shop.insight.i.x") == {"shop.model.users.region fdd IDENTITY"}


CRM = Source("crm", "postgres", HERE)
ABROAD = model("abroad", "SELECT id, region FROM raw_abroad", CRM)
BY_ABROAD = relation("by_abroad", "{orders.user_id} = {abroad.id}")


@pytest.mark.parametrize("relations", [(), (BY_ABROAD,)])
def test_models_of_different_sources_are_said_not_to_come_together(relations: tuple[Relation, ...]) -> None:
    """Whether a relation joins them or not; and a relation alone says it of itself."""
    per_region = metric("per_region", "SUM({orders.amount}) / COUNT({abroad.region})")
    lineage = of(ORDERS, ABROAD, *relations, per_region)
    assert said(lineage) == [(Code.SEVERAL_SOURCES, "abroad")] * (1 + len(relations))
    (message,) = {each.message for each, _ in lineage.diagnostics() if each.code is Code.SEVERAL_SOURCES}
    assert message == "orders reads the source shop_db, abroad reads crm: no query reads both"
    found = edges(lineage, "shop.metric.per_region.value")
    assert {"shop.model.orders.amount fdd AGGREGATION", "shop.model.abroad.region fdd AGGREGATION"} <= found


def test_a_model_of_another_source_on_the_way_counts_too() -> None:
    lineage = of(
        ORDERS, ABROAD, USERS, BY_ABROAD, relation("on", "{abroad.id} = {users.id}"),
        insight("i", {"x": "{users.region}", "y": "SUM({orders.amount})"}),
    )  # fmt: skip
    assert said(lineage).count((Code.SEVERAL_SOURCES, "abroad")) == 2, "of its relation to orders, and of the insight"


def test_metrics_of_different_sources_beside_each_other_are_fine() -> None:
    lineage = of(ORDERS, ABROAD, metric("a", "SUM({orders.amount})"), metric("b", "COUNT({abroad.id})"))
    assert said(lineage) == []


def test_of_several_joins_the_default_one_is_meant() -> None:
    paid = relation("paid", "{orders.id} = {users.id}")
    both = insight("i", {"x": "{users.region}", "y": "SUM({orders.amount})"})
    assert [code for code, _ in said(of(ORDERS, USERS, BY_USER, paid, both))] == [Code.AMBIGUOUS_JOIN]
    default = relation("paid", "{orders.id} = {users.id}", default=True)
    lineage = of(ORDERS, USERS, BY_USER, default, both)
    assert said(lineage) == []
    assert "shop.model.orders.id fdr JOIN" in edges(lineage, "shop.insight.i.PseudoRows")
    assert "shop.model.orders.user_id fdr JOIN" not in edges(lineage, "shop.insight.i.PseudoRows")


def test_models_are_joined_through_others() -> None:
    """The way from regions to orders leads through users, which the insight itself does not name."""
    regions = model("regions", "SELECT code, title FROM raw_regions")
    lineage = of(
        ORDERS, USERS, regions, BY_USER, relation("in_region", "{users.region} = {regions.code}"),
        insight("i", {"x": "{regions.title}", "y": "SUM({orders.amount})"}),
    )  # fmt: skip
    rows = edges(lineage, "shop.insight.i.PseudoRows")
    joined = {each.split()[0] for each in rows if each.endswith("fdr JOIN")}
    assert joined == {
        "shop.model.users.region", "shop.model.regions.code", "shop.model.orders.user_id", "shop.model.users.id",
    }  # fmt: skip
    assert said(lineage) == []


def test_relations_are_checked_even_if_nobody_uses_them() -> None:
    lineage = of(
        ORDERS, USERS, relation("alone", "{orders.id} = {orders.user_id}"), relation("lost", "{orders.id} = {usrs.id}")
    )
    assert (Code.INVALID_PROJECT, "alone") in said(lineage)
    assert (Code.UNKNOWN_REFERENCE, "usrs.id") in said(lineage)


def test_the_first_of_two_with_one_name_counts() -> None:
    other = model("Orders", "SELECT amount FROM old_orders")
    second = Place("other.yml", 3)
    lineage = of(ORDERS, replace(other, place=second), REVENUE)
    found = [(d.code, place) for d, place in lineage.diagnostics()]
    assert found == [(Code.DUPLICATE_NAME, second)]
    assert edges(lineage, "shop.model.orders.amount") == {"shop_db.raw_orders.amount fdd IDENTITY"}


def test_bare_names_of_a_field_may_be_a_metric_of_the_model() -> None:
    lineage = of(ORDERS, REVENUE, metric("doubled", "revenue * 2", "orders"))
    values = {each for each in edges(lineage, "shop.metric.orders.doubled.value") if " fdd " in each}
    assert values == {"shop.metric.orders.revenue.value fdd TRANSFORMATION"}


def test_an_expression_that_is_no_sql_costs_only_itself() -> None:
    lineage = of(ORDERS, REVENUE, metric("broken", "SUM(", "orders"))
    assert [code for code, _ in said(lineage) if code is Code.SYNTAX_ERROR]
    assert "shop.model.orders.amount fdd AGGREGATION" in edges(lineage, "shop.metric.orders.revenue.value")


def test_columns_that_a_file_tells_of() -> None:
    lineage = of(model("csv", "SELECT * FROM seed"), catalog={"shop_db.seed": {"x": "int", "y": "int"}})
    assert edges(lineage, "shop.model.csv.y") == {"shop_db.seed.y fdd IDENTITY"}


def test_expressions_show_their_references() -> None:
    assert str(expression("SUM({orders.amount})")) == "SUM(${orders.amount})"


def test_tables_of_several_sources_are_spelled_as_each_of_them_does() -> None:
    """Snowflake folds to upper case, PostgreSQL to lower; two tables that differ in that alone are two."""
    tables = {"raw.t": {"id": "int"}}
    both = Project("shop", "visivo", catalogs={"snowflake": tables, "postgres": {**tables, "Raw.u": {"id": "text"}}})
    assert [*known_tables(both).spelled_tables(dialect("spark"))] == [
        (("RAW", "T"), {"ID": "int"}),
        (("raw", "t"), {"id": "int"}),
        (("Raw", "u"), {"id": "text"}),
    ]
