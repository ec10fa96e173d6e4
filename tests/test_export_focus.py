"""A feed restricted to the lineage of one column or table."""

from __future__ import annotations

from dataclasses import replace

import pytest

import headwater
from export_samples import text, warehouse
from headwater.export.feed import Feed, Level, Scope
from headwater.export.focus import Direction, Focus, FocusFeed
from headwater.export.format import ExportError
from headwater.export.picture.lines import Line, flow
from headwater.export.script_feed import ScriptFeed

CHAIN = "CREATE TABLE b AS SELECT x, y FROM a; CREATE TABLE c AS SELECT x FROM b WHERE y > 1; CREATE TABLE d AS SELECT x AS z FROM c"


def focused(name: str, direction: Direction = "both", depth: int | None = None, **of: object) -> FocusFeed:
    return FocusFeed(warehouse(**of), Focus(name, direction, depth))  # type: ignore[arg-type]


def lines(feed: Feed, level: Level = "column") -> set[str]:
    met = [each for each in flow(feed, level) if isinstance(each, Line)]
    return {f"{_name(line.source)} > {_name(line.target)}" for line in met}


def _name(end: object) -> str:
    name = f"{end.entity_name}.{end.column_name}"  # type: ignore[attr-defined]
    return name.replace("PseudoRows", "rows").rstrip(".")


@pytest.mark.parametrize(
    ("direction", "depth", "expected"),
    [
        ("upstream", None, {"b.x > c.x", "a.x > b.x"}),
        ("upstream", 1, {"b.x > c.x"}),
        ("downstream", None, {"c.x > d.z"}),
        ("both", 1, {"b.x > c.x", "c.x > d.z"}),
    ],
)
def test_data_is_followed_in_a_direction_for_some_hops(
    direction: Direction, depth: int | None, expected: set[str]
) -> None:
    assert lines(focused("c.x", direction, depth, sql=CHAIN, impact=False)) == expected


def test_influence_is_followed_through_row_sets() -> None:
    found = lines(focused("c.x", "upstream", 1, sql=CHAIN))
    assert found == {"b.x > c.x", "b.y > c.rows", "b.rows > c.rows"}


def test_downstream_of_a_filter_are_the_columns_of_the_rows_it_decides_over() -> None:
    found = lines(focused("b.y", "downstream", sql=CHAIN))
    assert found == {"b.y > c.rows", "c.rows > d.rows", "c.x > d.z"}


def test_entities_have_the_columns_of_the_lineage_only() -> None:
    feed = focused("mart.sales.revenue", "upstream", impact=False)
    assert {e.name: [c.name for c in e.columns] for e in feed.entities()} == {
        "raw.orders": ["amount"],
        "staging.orders": ["amount"],
        "mart.sales": ["revenue"],
    }
    assert [process.type for process in feed.processes()] == ["Create View", "Create Table"]
    assert all(feed.entity(e.id) == e for e in feed.entities())


def test_a_table_means_all_of_its_columns() -> None:
    assert lines(focused("b", "upstream", sql=CHAIN, impact=False)) == {"a.x > b.x", "a.y > b.y"}


def test_the_table_level_has_the_tables_behind_the_column() -> None:
    found = lines(focused("mart.top.country", "upstream", level="table", impact=False), "table")
    assert found == {"mart.sales > mart.top", "staging.customers > mart.sales", "raw.customers > staging.customers"}


def test_at_the_complete_level_hops_are_those_of_persistent_columns() -> None:
    feed = focused("c.x", "upstream", 1, sql=CHAIN, level="complete", impact=False)
    assert lines(feed) == {"b.x > RS-1.x", "RS-1.x > c.x"}
    assert [entity.name for part in feed.parts() for entity in part.entities] == ["RS-1"]


def test_joins_are_shown_but_not_followed() -> None:
    joined = {
        "staging.customers.customer_id > staging.orders.customer_id",
        "staging.orders.customer_id > staging.customers.customer_id",
    }
    assert joined & lines(focused("mart.sales.country", "upstream", level="complete"))
    assert not joined & lines(focused("staging.orders.customer_id", "upstream", level="complete"))


def test_a_circle_ends() -> None:
    sql = "INSERT INTO a SELECT x FROM b; INSERT INTO b SELECT x FROM a"
    assert lines(focused("a.x", sql=sql, impact=False)) == {"a.x > b.x", "b.x > a.x"}


@pytest.mark.parametrize("name", ["mart.sales.revenue", "MART.Sales.Revenue", "sales.revenue", "revenue"])
def test_a_column_is_found_by_its_name_or_its_end(name: str) -> None:
    assert "revenue" in text("edge_list", focused(name, "upstream"))


def test_a_column_is_found_by_its_id() -> None:
    id = next(c.id for e in warehouse().entities() for c in e.columns if c.name == "revenue")
    assert lines(focused(f"id:{id}")) == lines(focused("mart.sales.revenue"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mart.sals.revenue", "there is no column or table mart.sals.revenue; did you mean mart.sales.revenue?"),
        ("mart.sales.revenu", "mart.sales has country, revenue; did you mean revenue?"),
        ("country", "country may be any of 4: raw.customers.country"),
        ("nothing.like.it", "there is no column or table nothing.like.it"),
    ],
)
def test_a_name_that_means_nothing_or_too_much_says_so(name: str, said: str) -> None:
    with pytest.raises(ExportError) as error:
        focused(name)
    assert said in str(error.value)


def test_names_with_dots_are_cut_where_it_works() -> None:
    sql = 'CREATE TABLE "a.b" AS SELECT "c.d" FROM "t.u"'
    assert lines(focused("t.u.c.d", sql=sql, dialect="postgres", impact=False)) == {"t.u.c.d > a.b.c.d"}


def test_another_level_of_the_same_lineage_is_found_anew() -> None:
    feed = focused("c.x", "upstream", 1, sql=CHAIN, impact=False)
    assert lines(feed.scoped(replace(feed.scope, level="complete"))) == {"b.x > RS-1.x", "RS-1.x > c.x"}
    assert lines(feed.scoped(replace(feed.scope, places=False))) == lines(feed)


def test_what_makes_a_struct_makes_its_fields() -> None:
    sql = "CREATE TABLE b AS SELECT s FROM a; CREATE TABLE c AS SELECT s.f AS x FROM b"
    schema = {"a": {"s": "struct<f: int>"}}
    feed = ScriptFeed([headwater.analyze(sql, dialect="spark", schema=schema)], Scope(impact=False))
    assert lines(FocusFeed(feed, Focus("c.x", "upstream"))) == {"a.s > b.s", "b.s.f > c.x"}
