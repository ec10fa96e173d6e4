"""What people write around their SQL: comments, semicolons, strings; it changes neither lineage nor what runs."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import pytest

from headwater.project.lineage import project_lineage
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
