"""The catalog of a Spark session: pulled as a file, and asked by a build that runs in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from command import Run, write
from headwater.catalog.description import ColumnDescription
from headwater.catalog.pull import Asking, Scope, pull
from headwater.catalog.wanted import wanted_by
from headwater.spark.session_catalog import SessionCatalog
from headwater.sql.dialect import dialect
from headwater.store import Store
from live_databases import names, table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.xdist_group("spark")

TABLES = (
    "CREATE SCHEMA live_shop",
    "CREATE TABLE live_shop.orders (id INT COMMENT 'its number', at STRUCT<day: DATE, tags: ARRAY<STRING>>, amount DECIMAL(10, 2), "
    "code STRING, more MAP<STRING, INT>) USING parquet COMMENT 'all orders'",
    "CREATE VIEW live_shop.paid AS SELECT id, amount AS total FROM live_shop.orders",
    "CREATE TABLE live_shop.unused (a INT) USING parquet",
)


@pytest.fixture(scope="module")
def shop(spark: SparkSession) -> Iterator[SparkSession]:
    for statement in TABLES:
        spark.sql(statement)
    yield spark
    spark.sql("DROP SCHEMA live_shop CASCADE")


@pytest.fixture(autouse=True)
def no_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEADWATER_CATALOG_URL", raising=False)


def test_everything_is_read(shop: SparkSession) -> None:
    found = pull(SessionCatalog(shop), Asking(scope=Scope(("live_shop",))))
    assert names(found) == ["live_shop.orders", "live_shop.paid", "live_shop.unused"]
    orders = table(found, "live_shop.orders")
    assert orders.comment == "all orders"
    assert orders.columns == (
        ColumnDescription("id", "int", True, "its number"),
        ColumnDescription("at", "struct<day: date, tags: array<string>>", True),
        ColumnDescription("amount", "decimal(10, 2)", True),
        ColumnDescription("code", "string", True),
        ColumnDescription("more", "map<string, int>", True),
    )
    assert table(found, "live_shop.paid").kind == "view"
    assert found.default_schema == "default"


def test_only_what_is_used_is_read(shop: SparkSession) -> None:
    wanted = wanted_by([("SELECT * FROM LIVE_SHOP.Paid", dialect("spark"))])
    assert names(pull(SessionCatalog(shop), Asking(), wanted)) == ["live_shop.orders", "live_shop.paid"]


def test_names_in_a_views_sql_are_those_of_the_schema_in_use(shop: SparkSession) -> None:
    shop.sql("CREATE SCHEMA live_other")
    try:
        shop.sql("USE live_shop")
        shop.sql("CREATE VIEW live_other.far AS SELECT a FROM unused")
        shop.sql("USE default")
        wanted = wanted_by([("SELECT * FROM live_other.far", dialect("spark"))])
        found = pull(SessionCatalog(shop), Asking(), wanted)
        assert names(found) == ["live_other.far", "live_shop.unused"]
        assert table(found, "live_other.far").sql_schema == ("live_shop",)
    finally:
        shop.sql("DROP SCHEMA live_other CASCADE")


def test_the_command_pulls(folder: Path, run: Run, shop: SparkSession) -> None:
    result = run("catalog", "pull", "spark", "--schema", "live_shop")
    assert result.code == 0, result.err
    assert set(json.loads(result.out)) == {"$catalog", *(f"live_shop.{t}" for t in ("orders", "paid", "unused"))}
    assert result.err == "2 tables and 1 views, 8 columns of spark\n"


def test_a_build_asks_its_session(folder: Path, run: Run, shop: SparkSession) -> None:
    write("sql/report.sql", "CREATE TABLE live_shop.report AS SELECT * FROM live_shop.paid")
    result = run("build", "sql", "--catalog", "spark")
    assert (result.code, result.err) == (0, "")
    snapshot = Store("lineage").snapshot()
    assert {r["path"] for r in snapshot.table("scripts").to_pylist()} == {"sql/report.sql", "spark/live_shop.paid"}
    upstream = json.loads(run("upstream", "live_shop.report.total", "--format", "json").out)
    assert [f"{c['table']}.{c['column']}" for c in upstream["columns"] if c["distance"] == 2] == [
        "live_shop.orders.amount"
    ]


def test_without_a_session_there_is_a_warning(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SessionCatalog, "_session", lambda self: None)
    write("q.sql", "SELECT * FROM live_shop.paid")
    result = run("analyze", "q.sql", "--catalog", "spark")
    assert result.code == 1
    assert "warning[catalog-unavailable] there is no Spark session here" in result.err
