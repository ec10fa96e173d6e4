"""What people write around their SQL: comments, semicolons, strings; it changes neither lineage nor what runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from headwater.model.diagnostic import Code
from headwater.project.lineage import project_lineage
from headwater.project.read import read_project
from headwater.project.resolver import Resolver
from project_builder import SHOP, dimension, insight, metric, model, project, relation

ODD = project(
    model("orders", "SELECT * FROM raw_orders; -- all; of them"),
    model("users", "SELECT id, name /* it's unique */ FROM raw_users -- end"),
    metric("plain", "SUM(amount);", "orders"),
    metric("remarked", "SUM(amount) -- what they've paid", "orders"),
    metric("inside", "SUM( -- it's {users.name}\n amount)", "orders"),
    metric("twice", "remarked * 2 /* } */", "orders"),
    metric("pasted", "MAX('it''s {orders.amount}!')"),
    metric("no_comment", "MAX('--' || \"it's\" || {orders.amount})", "orders"),
    dimension("note", "upper(note) -- loud", "orders"),
    relation("by_user", "{orders.user_id} = {users.id} -- it's the key"),
    insight(
        "by_name", {"x": "{users.name} -- who", "y": "{orders.plain};"}, filters=["{orders.amount} > 1 -- not all"]
    ),
)


@pytest.fixture(scope="module")
def database() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE raw_orders AS SELECT * FROM (VALUES (1, 5, 'a', 'x'), (1, 1, 'b', 'y'), (2, 3, 'c', 'z'))"
        ' t(user_id, amount, note, "it\'s")'
    )
    connection.execute("CREATE TABLE raw_users AS SELECT * FROM (VALUES (1, 'Ann'), (2, 'Bob')) t(id, name)")
    return connection


@pytest.mark.parametrize(
    ("reference", "rows", "columns"),
    [
        ("orders.plain", [(9,)], ["amount"]),
        ("orders.remarked", [(9,)], ["amount"]),
        ("orders.inside", [(9,)], ["amount"]),
        ("orders.twice", [(18,)], ["amount"]),
        ("pasted", [("it's 5!",)], ["amount"]),
        ("orders.no_comment", [("--z3",)], ["amount", "it's"]),
        ("orders.note", [("A",), ("B",), ("C",)], ["note"]),
        ("by_name.y", [("Ann", 5), ("Bob", 3)], ["amount"]),
    ],
)
def test_comments_semicolons_and_strings(
    reference: str, rows: list[tuple[object, ...]], columns: list[str], database: duckdb.DuckDBPyConnection
) -> None:
    found = Resolver(ODD).resolve(reference)
    assert sorted(database.execute(found.query).fetchall()) == rows
    assert found.columns == tuple(f"shop_db.raw_orders.{column}" for column in columns)


def test_nothing_is_wrong_with_them() -> None:
    assert list(project_lineage(ODD).diagnostics()) == []


def test_strings_of_other_dialects() -> None:
    source = replace(SHOP, dialect="bigquery")
    made = project(
        model("orders", "SELECT amount FROM raw_orders # all", source),
        metric("labelled", 'MAX("it\'s {orders.amount}") # label'),
    )
    assert Resolver(made).resolve("labelled").sql == '(MAX("it\'s " || `orders`.amount || ""))'


DOTTED = project(
    model("a.b", "SELECT x, y FROM t"),
    model("a_b", "SELECT z FROM u"),
    metric("m.n", "SUM(x)", "a.b"),
    metric("m_n", "SUM(z)", "a_b"),
    metric("of.all", "MAX(1)"),
)


def test_names_with_dots_stay_apart_from_those_with_underscores() -> None:
    resolver = Resolver(DOTTED)
    assert resolver.resolve("a.b.m.n").columns == ("shop_db.t.x",)
    assert resolver.resolve("a_b.m_n").columns == ("shop_db.u.z",)
    assert resolver.resolve("a.b.m.n").name == "shop.metric.a_b.m_n.value"
    assert resolver.resolve("a_b.m_n").name == "shop.metric.a_b.m_n_.value"
    assert list(project_lineage(DOTTED).diagnostics()) == []


def test_names_with_dots_can_be_asked_for() -> None:
    resolver = Resolver(DOTTED)
    found = resolver.resolve("a.b.y")
    assert (found.name, found.columns) == ("shop.model.a_b.y", ("shop_db.t.y",))
    assert found.query.endswith('SELECT "a.b".y AS "y"\nFROM "a.b"')
    assert resolver.resolve("of.all").name == "shop.metric.of_all.value"


def test_seeds_of_a_source_with_capitals_and_dots_are_its_tables(tmp_path: Path) -> None:
    file = tmp_path / "project.visivo.yml"
    file.write_text(
        "name: shop\n"
        "sources:\n"
        "  - name: My.Seeds\n"
        "    type: duckdb\n"
        "    database: seeds.duckdb\n"
        "    seeds:\n"
        "      - {table_name: people, args: [echo, 'id,name\\n1,Ann']}\n"
        "models:\n"
        "  - {name: people, source: '${ref(My.Seeds)}', sql: SELECT * FROM people}\n"
        "metrics:\n"
        "  - {name: wrong, expression: 'MAX(${ref(people).nme})'}\n"
    )
    made = read_project(file, {})
    assert list(made.catalog) == ["my_seeds.people"]
    assert list(made.in_schemas({"My.Seeds": ("lake", "raw")}).catalog) == ["lake.raw.people"]
    assert [said.code for said, _ in project_lineage(made).diagnostics()] == [Code.UNRESOLVED_COLUMN]


@pytest.mark.parametrize(
    ("spoken", "sql"),
    [
        ("mysql", "(MAX(CONCAT('n ', `orders`.id, '!')))"),
        ("tsql", "(MAX(CONCAT('n ', [orders].id, '!')))"),
        ("postgres", "(MAX('n ' || \"orders\".id || '!'))"),
    ],
)
def test_strings_are_put_together_as_the_dialect_does(spoken: str, sql: str) -> None:
    orders = model("orders", "SELECT id FROM raw", replace(SHOP, dialect=spoken))
    found = Resolver(project(orders, metric("labelled", "MAX('n {orders.id}!')"))).resolve("labelled")
    assert (found.sql, found.columns) == (sql, ("shop_db.raw.id",))
