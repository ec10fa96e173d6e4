"""Builds with a live catalog: stars are spelled out, lineage goes through the database's views, one that is down ends nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from command import Run, write
from headwater.store import Snapshot, Store
from live_databases import execute, new_database

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.xdist_group("spark")

SHOP = (
    "CREATE SCHEMA mart",
    "CREATE TABLE customers (id int PRIMARY KEY, name text, latest int)",
    "CREATE TABLE orders (id int PRIMARY KEY, customer int REFERENCES customers (id), amount numeric)",
    "ALTER TABLE customers ADD FOREIGN KEY (latest) REFERENCES orders (id)",
    "CREATE VIEW mart.paid AS SELECT o.id, c.name, o.amount * 2 AS twice FROM orders o JOIN customers c ON c.id = o.customer",
    "CREATE VIEW mart.gold AS SELECT * FROM mart.paid",
    "CREATE VIEW mart.unused AS SELECT id FROM orders",
)
SQL = "CREATE TABLE report AS SELECT g.*, o.amount FROM mart.gold g JOIN orders o USING (id);\n"
DATA = {
    "public.report.id <- mart.gold.id",
    "public.report.name <- mart.gold.name",
    "public.report.twice <- mart.gold.twice",
    "public.report.amount <- public.orders.amount",
}
VIEWS = {
    "mart.gold.id <- mart.paid.id",
    "mart.gold.name <- mart.paid.name",
    "mart.gold.twice <- mart.paid.twice",
    "mart.paid.id <- public.orders.id",
    "mart.paid.name <- public.customers.name",
    "mart.paid.twice <- public.orders.amount",
}
KEYS = {"public.orders.customer <- public.customers.id", "public.customers.latest <- public.orders.id"}


@pytest.fixture(scope="module")
def shop(postgres: Any) -> str:
    return new_database(postgres, *SHOP)


@pytest.fixture
def here(folder: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with a Spark beside it."""
    monkeypatch.delenv("HEADWATER_CATALOG_URL", raising=False)
    return folder


def current(store: str = "lineage") -> Snapshot:
    return Store(store).snapshot()


def edges(snapshot: Snapshot, clause: str | None = None) -> set[str]:
    """What flows from column to column; or what has to do with a clause."""
    names = {r["entity_id"]: r["name"] for r in snapshot.table("entities").to_pylist()}
    columns = {r["column_id"]: f"{names[r['entity_id']]}.{r['name']}" for r in snapshot.table("columns").to_pylist()}
    rows = snapshot.table("relations").to_pylist()
    wanted = [
        r for r in rows if (r["clause"] == clause if clause else r["type"] == "fdd" and r["clause"] != "foreignKey")
    ]
    found = {f"{columns[r['target_id']]} <- {columns[r['source_id']]}" for r in wanted}
    return {edge for edge in found if "PseudoRows" not in edge}


def codes(snapshot: Snapshot) -> list[str]:
    return [r["code"] for r in snapshot.table("diagnostics").to_pylist()]


def test_lineage_goes_through_the_databases_views(here: Path, run: Run, shop: str) -> None:
    write("sql/report.sql", SQL)
    result = run("build", "sql", "--catalog", shop)
    assert (result.code, result.err) == (0, "")
    assert edges(current()) == DATA | VIEWS
    assert edges(current(), "foreignKey") == KEYS
    assert codes(current()) == []
    paths = {r["path"]: r["kind"] for r in current().table("scripts").to_pylist()}
    assert set(paths) == {"sql/report.sql", *(p for p in paths if p.startswith("postgresql:///catalog_"))}
    assert {p.rpartition("/")[2] for p, kind in paths.items() if kind == "catalog"} == {
        *("mart.gold", "mart.paid", "public.orders", "public.customers"),
    }
    upstream = json.loads(run("upstream", "public.report.twice", "--format", "json").out)
    assert {f"{c['table']}.{c['column']}" for c in upstream["columns"] if c["distance"] == 3} == {
        "public.orders.amount"
    }


def test_mutual_keys_are_no_circle_of_definitions(here: Path, run: Run, shop: str) -> None:
    write("sql/report.sql", SQL)
    summary = json.loads(run("build", "sql", "--catalog", shop, "--format", "json").out)
    assert summary["circles"] == 0


def test_a_pulled_file_gives_the_same(here: Path, run: Run, shop: str) -> None:
    write("sql/report.sql", SQL)
    assert run("catalog", "pull", shop, "--for", "sql", "-o", "shop.json").code == 0
    assert run("build", "sql", "--schema", "shop.json", "-d", "postgres", "--default-schema", "public").code == 0
    assert edges(current()) == DATA | VIEWS
    assert edges(current(), "foreignKey") == KEYS


def test_a_view_that_the_corpus_defines_is_the_corpus_own(here: Path, run: Run, shop: str) -> None:
    write("sql/report.sql", "CREATE OR REPLACE VIEW mart.gold AS SELECT amount AS twice FROM orders;")
    assert run("build", "sql", "--catalog", shop).code == 0
    assert edges(current()) == {"mart.gold.twice <- public.orders.amount"}


def test_a_second_build_analyses_nothing_again(here: Path, run: Run, shop: str) -> None:
    write("sql/report.sql", SQL)
    run("build", "sql", "--catalog", shop)
    summary = json.loads(run("build", "sql", "--catalog", shop, "--format", "json").out)
    assert summary["reused"] == summary["distinct"] > 0


def test_a_database_that_is_down_is_a_warning(here: Path, run: Run) -> None:
    write("sql/report.sql", SQL)
    result = run("build", "sql", "--catalog", "postgresql://u:s3cret@127.0.0.1:1/shop", "-d", "postgres")
    assert result.code == 0
    assert "warning[catalog-unavailable] postgresql://127.0.0.1:1/shop cannot be read: " in result.err
    assert codes(current()) == ["catalog-unavailable"]
    assert "report.amount <- orders.amount" in edges(current())
    for file in (file for file in here.rglob("*") if file.is_file()):
        assert b"s3cret" not in file.read_bytes(), file
    assert "s3cret" not in result.out + result.err


def test_a_query_log_is_looked_through_too(here: Path, run: Run, shop: str) -> None:
    write("log.jsonl", json.dumps({"sql": "INSERT INTO x SELECT * FROM customers"}) + "\n")
    assert run("build", "log.jsonl", "--catalog", shop).code == 0
    assert edges(current()) == {f"public.x.{c} <- public.customers.{c}" for c in ("id", "name", "latest")}


def test_what_a_database_does_not_tell_is_in_the_store(here: Path, run: Run) -> None:
    url = "sqlite:///shop.db"
    execute(
        url,
        "CREATE TABLE gone (z int)",
        "CREATE TABLE orders (id int, amount int, twice int GENERATED ALWAYS AS (amount * 2))",
        "CREATE VIEW dead AS SELECT z FROM gone",
        "DROP TABLE gone",
    )
    write("sql/report.sql", "CREATE TABLE report AS SELECT o.twice, d.z FROM orders o, dead d;")
    result = run("build", "sql", "--catalog", url)
    assert result.code == 0
    assert "warning[catalog-incomplete] view main.dead of sqlite:///shop.db: its columns cannot be read" in result.err
    assert "catalog-incomplete" in codes(current())
    assert edges(current()) == {
        "main.report.twice <- main.orders.twice",
        "main.orders.twice <- main.orders.amount",
        "main.report.z <- main.dead.z",
        "main.dead.z <- main.gone.z",
    }
