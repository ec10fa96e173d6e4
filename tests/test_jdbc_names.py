"""Tables over JDBC are named by their server and database, as OpenLineage spells them, and without secrets."""

from __future__ import annotations

import pytest

from headwater.analyzers.catalyst.places import jdbc_place
from headwater.sql.jdbc_names import database_at


@pytest.mark.parametrize(
    ("url", "table", "name"),
    [
        (
            "jdbc:postgresql://db.example:6432/shop?user=me&password=x",
            "sales.orders",
            "postgres://db.example:6432 shop sales orders",
        ),
        ("jdbc:postgresql://db.example/shop", "orders", "postgres://db.example:5432 shop public orders"),
        ("jdbc:postgresql://db/shop?currentSchema=sales&password=x", "orders", "postgres://db:5432 shop sales orders"),
        ("jdbc:postgresql://a:1,b:2/shop", "orders", "postgres://a:1,b:2 shop public orders"),
        ("jdbc:mysql://root:secret@db/shop?useSSL=false", "orders", "mysql://db:3306 shop orders"),
        ("jdbc:mysql://db:3307/shop", "other.orders", "mysql://db:3307 other orders"),
        ("jdbc:mariadb://db/shop", "orders", "mysql://db:3306 shop orders"),
        ("jdbc:sqlserver://db:1444;databaseName=shop;user=sa;password=x", "orders", "mssql://db:1444 shop dbo orders"),
        ("jdbc:sqlserver://db;database=shop", "sales.orders", "mssql://db:1433 shop sales orders"),
        ("jdbc:sqlserver://db;database=shop", "other.sales.orders", "mssql://db:1433 other sales orders"),
        ("jdbc:oracle:thin:@//db:1522/sales", "hr.orders", "oracle://db:1522 sales hr orders"),
        ("jdbc:oracle:thin:scott/tiger@db:1521:ORCL", "hr.orders", "oracle://db:1521 ORCL hr orders"),
        (
            "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(HOST=db)(PORT=1600))(CONNECT_DATA=(SERVICE_NAME=sales)))",
            "hr.orders",
            "oracle://db:1600 sales hr orders",
        ),
        (
            "jdbc:snowflake://acme.snowflakecomputing.com/?db=SHOP&schema=SALES",
            "ORDERS",
            "snowflake://acme.snowflakecomputing.com SHOP SALES ORDERS",
        ),
        (
            "jdbc:redshift://c.eu-west-1.redshift.amazonaws.com:5439/dev",
            "s.t",
            "redshift://c.eu-west-1.redshift.amazonaws.com:5439 dev s t",
        ),
        ("jdbc:db2://db:50000/SHOP:user=me;password=x;", "s.t", "db2://db:50000 SHOP s t"),
        ("jdbc:trino://db:8080/hive/sales", "orders", "trino://db:8080 hive sales orders"),
        ("jdbc:sqlite:/data/shop.db", "orders", "sqlite:/data/shop.db orders"),
        ("jdbc:whatever://db:1/x", "s.t", "whatever://db:1 x s t"),
        ("jdbc:postgresql://db/shop", '"Sales"."Big.Orders"', "postgres://db:5432 shop Sales Big.Orders"),
    ],
)
def test_a_table_has_its_server_and_database(url: str, table: str, name: str) -> None:
    assert " ".join(jdbc_place(url, table).table) == name


@pytest.mark.parametrize(
    "asked", ["(SELECT a FROM t) AS q", "( select a from t ) SPARK_GEN_SUBQ_0", "(SELECT a FROM t)"]
)
def test_a_query_is_told_from_a_table(asked: str) -> None:
    place = jdbc_place("jdbc:postgresql://db/shop?password=x", asked)
    assert place.query is not None
    query, database = place.query
    assert (place.table, query.lower(), database.dialect) == ((), "select a from t", "postgres")


def test_no_secret_is_in_a_name() -> None:
    urls = (
        "jdbc:mysql://root:hunter2@db/shop?password=hunter2",
        "jdbc:oracle:thin:scott/hunter2@db:1521:X",
        "jdbc:db2://db/S:password=hunter2;",
        "jdbc:sqlserver://db;password=hunter2;databaseName=s",
    )
    assert not any("hunter2" in repr(database_at(url)) for url in urls)
