"""Catalogs out of a real PostgreSQL: what is read, by which names it is found, and how little is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import headwater
from headwater.catalog.description import ColumnDescription, ForeignKey
from headwater.catalog.source import read_catalog
from live_databases import execute, many_tables, names, new_database, pulled, statements_sent, table

SHOP = (
    "CREATE SCHEMA mart",
    "CREATE TABLE customers (id int PRIMARY KEY, name varchar(40) NOT NULL, tier text)",
    "COMMENT ON TABLE customers IS 'who buys'",
    "COMMENT ON COLUMN customers.tier IS 'gold or silver'",
    "CREATE TABLE orders (id int PRIMARY KEY, customer int REFERENCES customers (id), amount numeric(10, 2), placed date)",
    'CREATE TABLE "Orders" ("Id" int, "when" timestamp)',
    "CREATE TABLE mart.lines (order_id int, no int, sku text, PRIMARY KEY (order_id, no), "
    "FOREIGN KEY (order_id) REFERENCES public.orders (id))",
    "CREATE VIEW mart.paid AS SELECT o.id, c.name, o.amount FROM orders o JOIN customers c ON c.id = o.customer",
    "CREATE VIEW mart.gold AS SELECT name, sum(amount) AS total FROM mart.paid GROUP BY name",
    "CREATE MATERIALIZED VIEW mart.daily AS SELECT placed, count(*) AS n FROM orders GROUP BY placed",
    "CREATE TABLE unused (a int)",
)


@pytest.fixture(scope="module")
def shop(postgres: Any) -> str:
    return new_database(postgres, *SHOP)


def stars(sql: str, found: Any) -> list[str]:
    """The sources of a query's columns, with the catalog and the default schema that were pulled."""
    lineage = headwater.analyze(sql, "postgres", found.catalog(), found.default_schema)
    return [str(edge.source) for edge in lineage.column_edges(rows="none")]


def test_everything_is_read(shop: str) -> None:
    found = pulled(shop)
    assert names(found) == [
        *("mart.daily", "mart.gold", "mart.lines", "mart.paid"),
        *("public.Orders", "public.customers", "public.orders", "public.unused"),
    ]
    customers = table(found, "public.customers")
    assert customers.kind == "table"
    assert customers.comment == "who buys"
    assert customers.primary_key == ("id",)
    assert customers.columns == (
        ColumnDescription("id", "INTEGER", False),
        ColumnDescription("name", "VARCHAR(40)", False),
        ColumnDescription("tier", "TEXT", True, "gold or silver"),
    )
    assert table(found, "public.orders").foreign_keys == (ForeignKey(("customer",), ("public", "customers"), ("id",)),)
    lines = table(found, "mart.lines")
    assert lines.primary_key == ("order_id", "no")
    assert lines.foreign_keys == (ForeignKey(("order_id",), ("public", "orders"), ("id",)),)


def test_views_have_their_sql_with_all_names_qualified(shop: str) -> None:
    found = pulled(shop)
    assert table(found, "mart.daily").kind == "materialized view"
    assert table(found, "mart.daily").sql.startswith('CREATE MATERIALIZED VIEW "mart"."daily" AS\n')
    paid = table(found, "mart.paid")
    assert paid.kind == "view"
    lineage = headwater.analyze(paid.sql, "postgres", found.catalog())
    assert {f"{e.target} <- {e.source}" for e in lineage.column_edges(rows="none")} == {
        "mart.paid.id <- public.orders.id",
        "mart.paid.name <- public.customers.name",
        "mart.paid.amount <- public.orders.amount",
    }


def test_the_file_is_a_schema(shop: str, tmp_path: Path) -> None:

    found = pulled(shop)
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(found.document()))
    lineage = headwater.analyze('SELECT * FROM "Orders", mart.gold', "postgres", str(file), "public")
    assert [str(e.source) for e in lineage.column_edges(rows="none")] == [
        *("public.Orders.Id", "public.Orders.when", "mart.gold.name", "mart.gold.total"),
    ]
    about, _ = next(read_catalog(file, found.dialect).described())
    assert about.source == found.place


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        ('SELECT * FROM "Orders"', ["public.Orders.Id", "public.Orders.when"]),
        ("SELECT * FROM ORDERS", [f"public.orders.{c}" for c in ("id", "customer", "amount", "placed")]),
        ("SELECT * FROM Public.orders", [f"public.orders.{c}" for c in ("id", "customer", "amount", "placed")]),
        ('SELECT * FROM "ORDERS"', ["public.ORDERS.*"]),
        ("SELECT * FROM lines", ["public.lines.*"]),
    ],
)
def test_names_fold_as_postgresql_folds_them(shop: str, sql: str, columns: list[str]) -> None:
    assert stars(sql, pulled(shop, sql)) == columns


def test_system_schemas_are_read_when_asked_for(shop: str) -> None:
    assert pulled(shop, only=("mart",)).tables == tuple(t for t in pulled(shop).tables if t.name[0] == "mart")
    assert {t.name[0] for t in pulled(shop, exclude=("m*",)).tables} == {"public"}
    with_system = pulled(shop, "SELECT * FROM information_schema.schemata", system=True, views=False)
    assert names(with_system) == ["information_schema.schemata"]
    assert names(pulled(shop, "SELECT * FROM information_schema.schemata")) == []


def test_only_what_the_sql_refers_to_is_read(shop: str) -> None:
    assert names(pulled(shop, "SELECT tier FROM customers")) == ["public.customers"]
    assert names(pulled(shop, "SELECT * FROM public.lines")) == []


def test_what_views_read_is_read_through_any_number_of_them(shop: str) -> None:
    found = pulled(shop, "SELECT * FROM mart.gold")
    assert names(found) == ["mart.gold", "mart.paid", "public.customers", "public.orders"]
    assert names(pulled(shop, "SELECT * FROM mart.gold", views=False)) == ["mart.gold"]


def test_a_schema_that_the_sql_puts_in_use(shop: str) -> None:
    assert names(pulled(shop, "SET search_path = mart; SELECT * FROM lines")) == ["mart.lines"]


def test_the_connections_search_path_is_the_default(shop: str) -> None:
    found = pulled(f"{shop}&options=-csearch_path%3Dmart", "SELECT * FROM lines")
    assert found.default_schema == "mart"
    assert names(found) == ["mart.lines"]
    assert stars("SELECT * FROM lines", found) == ["mart.lines.order_id", "mart.lines.no", "mart.lines.sku"]


@pytest.mark.parametrize(
    ("sql", "edges"),
    [
        ("SELECT sku, tier FROM lines, customers", {"sku <- mart.lines.sku", "tier <- public.customers.tier"}),
        ("SELECT * FROM unused", {"a <- public.unused.a"}),
        ("INSERT INTO unused SELECT no FROM lines", {"public.unused.a <- mart.lines.no"}),
        ("CREATE TABLE unused AS SELECT no FROM lines", {"mart.unused.no <- mart.lines.no"}),
        (
            "CREATE TABLE unused AS SELECT no FROM lines; SELECT * FROM unused",
            {"mart.unused.no <- mart.lines.no", "no <- mart.unused.no"},
        ),
        ("SELECT * FROM mart.unused", {"* <- mart.unused.*"}),
        ("SELECT * FROM nowhere", {"* <- mart.nowhere.*"}),
    ],
)
def test_a_search_path_of_several_schemas(shop: str, sql: str, edges: set[str]) -> None:
    found = pulled(f"{shop}&options=-csearch_path%3Dmart,public", sql)
    assert found.default_schema == "mart"
    lineage = headwater.analyze(sql, "postgres", found.catalog(), found.default_schema)
    assert {f"{e.target} <- {e.source}" for e in lineage.column_edges(rows="none")} == edges


def test_a_search_path_holds_in_a_process_of_its_own_too(shop: str) -> None:
    sql = "SELECT " + ", ".join(f"tier AS t{i}" for i in range(20_000)) + " FROM customers"
    found = pulled(f"{shop}&options=-csearch_path%3Dmart,public", sql)
    lineage = headwater.analyze(sql, "postgres", found.catalog(), found.default_schema)
    assert {str(e.source) for e in lineage.column_edges(rows="none")} == {"public.customers.tier"}


@pytest.fixture(scope="module")
def large(postgres: Any) -> str:
    """5,000 tables, of which ten are used."""
    return new_database(postgres, many_tables(5000))


TEN = ";".join(f"SELECT * FROM t{i}" for i in range(0, 5000, 500))


def test_of_5000_tables_the_ten_that_are_used_are_read(large: str) -> None:
    with statements_sent() as sent:
        found = pulled(large, TEN)
    assert names(found) == sorted(f"public.t{i}" for i in range(0, 5000, 500))
    assert len(sent) <= 20, sent
    with statements_sent() as for_one:
        pulled(large, "SELECT * FROM t7")
    assert len(for_one) == len(sent)


def test_all_5000_tables_take_no_more_statements(large: str) -> None:
    with statements_sent() as sent:
        found = pulled(large)
    assert len(found.tables) == 5000
    assert len(sent) <= 20 + 5000 // 500, sent


def test_what_has_not_changed_is_not_read_again(postgres: Any, tmp_path: Path) -> None:
    url = new_database(postgres, *SHOP)
    sql = "SELECT * FROM mart.gold; SELECT * FROM unused"
    with statements_sent() as first:
        before = pulled(url, sql, tmp_path)
    with statements_sent() as within:
        assert pulled(url, sql, tmp_path).tables == before.tables
    assert within == []
    with statements_sent() as later:
        assert pulled(url, sql, tmp_path, ttl=0).tables == before.tables
    assert not any("pg_get_viewdef" in each and "relkind::text" not in each for each in later)
    assert len(later) < len(first)


@pytest.mark.parametrize(
    ("change", "name", "columns"),
    [
        ("ALTER TABLE unused ADD b text", "public.unused", ["a INTEGER", "b TEXT"]),
        ("ALTER TABLE unused ALTER a TYPE bigint", "public.unused", ["a BIGINT"]),
        (
            "CREATE OR REPLACE VIEW mart.paid AS SELECT o.id, ''::varchar(40) AS name, o.amount FROM orders o",
            "mart.paid",
            None,
        ),
        ("COMMENT ON TABLE unused IS 'new'", "public.unused", ["a INTEGER"]),
    ],
)
def test_a_change_is_seen(postgres: Any, tmp_path: Path, change: str, name: str, columns: list[str] | None) -> None:
    url = new_database(postgres, *SHOP)
    sql = "SELECT * FROM mart.paid; SELECT * FROM unused"
    before = table(pulled(url, sql, tmp_path), name)
    execute(url, change)
    after = table(pulled(url, sql, tmp_path, ttl=0), name)
    assert after != before
    if columns is not None:
        assert [f"{c.name} {c.type}" for c in after.columns] == columns


def test_tables_that_come_and_go_are_seen(postgres: Any, tmp_path: Path) -> None:
    url = new_database(postgres, "CREATE TABLE a (x int)")
    sql = "SELECT * FROM a; SELECT * FROM b"
    assert names(pulled(url, sql, tmp_path)) == ["public.a"]
    execute(url, "CREATE TABLE b (y int)", "DROP TABLE a")
    assert names(pulled(url, sql, tmp_path, ttl=0)) == ["public.b"]


def test_names_that_need_quotes(postgres: Any) -> None:
    url = new_database(
        postgres, 'CREATE TABLE "a.b" ("c""d" int)', 'CREATE SCHEMA "Odd One"', 'CREATE TABLE "Odd One".t (e int)'
    )
    found = pulled(url)
    assert [t.name for t in found.tables] == [("Odd One", "t"), ("public", "a.b")]
    assert stars('SELECT * FROM "a.b"', found) == ['public.a.b.c"d']
    assert stars('SELECT * FROM "Odd One".t', found) == ["Odd One.t.e"]
