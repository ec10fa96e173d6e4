"""Live catalogs against real servers: rights that are missing, lines that are cut or fall silent, names, many tables, a metastore.

MariaDB is Debian's, PostgreSQL comes from a wheel, Spark has a Hive metastore in Derby, Snowflake is played by fakesnow.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import headwater
from bad_line import CUT, SILENT, bad_line
from command import Run, write
from headwater.catalog.description import ColumnDescription, ForeignKey
from headwater.catalog.live import LiveDatabase
from headwater.catalog.pull import Asking, Pulled, pull
from headwater.catalog.wanted import wanted_by
from live_databases import execute, names, new_database, pulled, statements_sent, table
from mariadb_server import MariaDBServer, mariadb_server

pytestmark = pytest.mark.slow

PASSWORD = "s3cr@t:/p?w"
QUOTED = "s3cr%40t%3A%2Fp%3Fw"


@pytest.fixture(autouse=True)
def no_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEADWATER_CATALOG_URL", raising=False)


def sources(out: str) -> list[str]:
    """The columns behind the arrows of `analyze`, without quotes."""
    return [line.split()[1].replace("`", "").replace('"', "") for line in out.splitlines() if "<-" in line]


def edges(sql: str, found: Pulled) -> set[str]:
    lineage = headwater.analyze(sql, found.dialect.name, found.catalog(), found.default_schema)
    return {f"{edge.target} <- {edge.source}" for edge in lineage.column_edges(rows="none")}


def says_no_secret(folder: Path, *told: str) -> None:
    """Neither what was printed nor any file that was written holds the password."""
    files = [file.read_bytes() for file in folder.rglob("*") if file.is_file()]
    for text in (*(each.encode() for each in told), *files):
        assert b"s3cr" not in text
        assert b"Traceback" not in text


# MariaDB

MARIADB = (
    "CREATE DATABASE shop",
    "CREATE DATABASE Mart",
    "USE shop",
    "CREATE TABLE customers (id int PRIMARY KEY, Name varchar(40) NOT NULL COMMENT 'who it is') COMMENT 'who buys'",
    "CREATE TABLE Orders (id int PRIMARY KEY, customer int, amount decimal(10,2), "
    "twice decimal(11,2) AS (amount * 2) VIRTUAL, kind enum('a','b'), FOREIGN KEY (customer) REFERENCES customers (id))",
    "CREATE TABLE orders (other int)",
    "CREATE TABLE versioned (a bigint unsigned) WITH SYSTEM VERSIONING",
    "CREATE SEQUENCE numbers",
    "CREATE VIEW paid AS SELECT o.id, c.name, o.twice FROM Orders o JOIN customers c ON c.id = o.customer",
    "CREATE VIEW Mart.gold AS SELECT name, sum(twice) AS total FROM paid GROUP BY name",
    "CREATE TABLE gone (z int)",
    "CREATE VIEW dead AS SELECT z FROM gone",
    "DROP TABLE gone",
    f"CREATE USER reader@localhost IDENTIFIED BY '{PASSWORD}'",
    "GRANT SELECT, SHOW VIEW ON shop.* TO reader@localhost",
    "GRANT SELECT, SHOW VIEW ON Mart.* TO reader@localhost",
    f"CREATE USER blind@localhost IDENTIFIED BY '{PASSWORD}'",
    "GRANT SELECT ON shop.* TO blind@localhost",
    "GRANT SELECT, SHOW VIEW ON Mart.* TO blind@localhost",
)


@pytest.fixture(scope="module")
def mariadb() -> Iterator[MariaDBServer]:
    pytest.importorskip("pymysql")
    with mariadb_server() as server:
        server.execute(*MARIADB)
        yield server


def mariadb_url(server: MariaDBServer, user: str, database: str = "shop") -> str:
    return f"mariadb://{user}:{QUOTED}@localhost/{database}?unix_socket={server.socket}"


def test_mariadb_tells_tables_views_keys_and_comments(mariadb: MariaDBServer) -> None:
    found = pulled(mariadb_url(mariadb, "reader"))
    assert found.default_schema == "shop"
    assert names(found) == [
        "Mart.gold",
        *("shop.Orders", "shop.customers", "shop.dead", "shop.orders", "shop.paid", "shop.versioned"),
    ]
    customers = table(found, "shop.customers")
    assert (customers.kind, customers.comment, customers.primary_key) == ("table", "who buys", ("id",))
    assert customers.columns == (
        ColumnDescription("id", "int(11)", False),
        ColumnDescription("Name", "varchar(40)", False, "who it is"),
    )
    orders = table(found, "shop.Orders")
    assert orders.columns[3:] == (
        ColumnDescription("twice", "decimal(11,2)", True, generated="`amount` * 2"),
        ColumnDescription("kind", "enum('a','b')", True),
    )
    assert orders.foreign_keys == (ForeignKey(("customer",), ("shop", "customers"), ("id",)),)
    assert table(found, "shop.versioned").columns == (ColumnDescription("a", "bigint(20) unsigned", True),)
    assert table(found, "shop.paid").kind == "view"


def test_mariadb_views_are_followed_to_base_tables(mariadb: MariaDBServer, folder: Path, run: Run) -> None:
    write("q.sql", "INSERT INTO report SELECT * FROM Mart.gold")
    result = run("analyze", "q.sql", "--catalog", mariadb_url(mariadb, "reader"), "--rows", "none")
    assert (result.code, result.err) == (0, "")
    assert sources(result.out) == [
        *("Mart.gold.name", "Mart.gold.total"),
        *("shop.paid.name", "shop.paid.twice"),
        *("shop.Orders.id", "shop.customers.Name", "shop.Orders.twice"),
        "shop.Orders.amount",
    ]
    says_no_secret(folder, result.out, result.err)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT NAME FROM customers", {"NAME <- shop.customers.name"}),
        ("SELECT * FROM orders", {"other <- shop.orders.other"}),
        ("SELECT Amount AS x FROM `Orders`", {"x <- shop.Orders.amount"}),
        ("SELECT * FROM CUSTOMERS", {"* <- shop.CUSTOMERS.*"}),
    ],
)
def test_mariadb_tables_have_case_and_columns_have_none(mariadb: MariaDBServer, sql: str, expected: set[str]) -> None:
    found = edges(sql, pulled(mariadb_url(mariadb, "reader"), sql))
    assert {edge.lower() for edge in found} == {edge.lower() for edge in expected}
    assert {edge.split(".")[1] for edge in found} == {edge.split(".")[1] for edge in expected}


def test_a_view_without_show_view_costs_its_sql_only(mariadb: MariaDBServer, folder: Path, run: Run) -> None:
    write("q.sql", "INSERT INTO report SELECT g.*, c.id FROM Mart.gold g, customers c")
    result = run("analyze", "q.sql", "--catalog", mariadb_url(mariadb, "blind"), "--rows", "none")
    assert result.code == 1
    assert (
        "warning[catalog-incomplete] view shop.paid of mariadb://localhost/shop: its SQL cannot be read: "
        "that takes the right SHOW VIEW"
    ) in result.err
    assert sources(result.out) == [
        *("Mart.gold.name", "Mart.gold.total", "shop.customers.id"),
        *("shop.paid.name", "shop.paid.twice"),
    ]
    says_no_secret(folder, result.out, result.err)


def test_a_pull_names_the_views_that_it_cannot_read(mariadb: MariaDBServer, folder: Path, run: Run) -> None:
    result = run("catalog", "pull", mariadb_url(mariadb, "blind"), "-o", "shop.json")
    assert result.code == 0
    told = json.loads(Path("shop.json").read_text())
    assert list(told["shop.paid"]["columns"]) == ["id", "name", "twice"]
    assert "sql" not in told["shop.paid"]
    assert "view shop.paid of mariadb://localhost/shop: its SQL cannot be read" in result.err
    assert "view shop.dead of mariadb://localhost/shop: its columns cannot be read" in result.err
    assert "4 tables and 3 views" in result.err
    again = run("catalog", "pull", mariadb_url(mariadb, "blind"), "--offline")
    assert "view shop.paid of mariadb://localhost/shop: its SQL cannot be read" in again.err, "the cache forgets it"
    says_no_secret(folder, result.out, result.err)


def test_a_view_whose_table_is_gone_stays_open(mariadb: MariaDBServer) -> None:
    sql = "SELECT * FROM dead"
    found = pulled(mariadb_url(mariadb, "reader"), sql)
    assert edges(sql, found) == {"* <- shop.dead.*"}
    (remark,) = found.remarks
    assert remark.message == (
        "view shop.dead of mariadb://localhost/shop: its columns cannot be read: the database lists none"
    )


def test_mariadb_with_5000_tables_is_asked_little(mariadb: MariaDBServer) -> None:
    mariadb.execute("CREATE DATABASE large", "USE large", "GRANT SELECT ON large.* TO reader@localhost")
    for start in range(0, 5000, 500):
        create = (f"CREATE TABLE t{i} (id int, v{i} int) ENGINE=MyISAM" for i in range(start, start + 500))
        mariadb.execute("USE large", *create)
    url = mariadb_url(mariadb, "reader", "large")
    with statements_sent() as sent:
        found = pulled(url, ";".join(f"SELECT * FROM t{i}" for i in range(0, 5000, 500)))
    assert names(found) == sorted(f"large.t{i}" for i in range(0, 5000, 500))
    assert len(sent) <= 20, sent
    with statements_sent() as sent:
        assert len(pulled(url, only=("large",)).tables) == 5000
    assert len(sent) <= 20, sent


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # PyMySQL forgets a socket
def test_a_killed_server_is_an_error_with_what_to_do(mariadb: MariaDBServer, folder: Path, run: Run) -> None:
    write("q.sql", "SELECT * FROM customers")
    url = mariadb_url(mariadb, "reader")
    live = LiveDatabase.at(url)
    mariadb_was_killed: list[str] = []

    def kill(what: str) -> None:
        if what.startswith("reading") and not mariadb_was_killed:
            mariadb_was_killed.append(what)
            mariadb.kill()

    try:
        found = pull(live, Asking(tell=kill), wanted_by([("SELECT * FROM customers", live.dialect)]))
        assert mariadb_was_killed
        assert found.problem.startswith("mariadb://localhost/shop cannot be read: ")
        (remark,) = found.remarks
        assert "ask again when it can be reached" in remark.hint
        down = run("catalog", "pull", url)
        assert down.code == 2
        assert "Error: mariadb://localhost/shop cannot be read: Can't connect" in down.err
        assert "with --offline the cache is taken" in down.err
        analysed = run("analyze", "q.sql", "--catalog", url)
        assert "warning[catalog-unavailable] mariadb://localhost/shop cannot be read" in analysed.err
        says_no_secret(folder, str(found), down.out, down.err, analysed.out, analysed.err)
    finally:
        gc.collect()
        mariadb.start()


def test_a_wrong_password_is_not_shown(mariadb: MariaDBServer, folder: Path, run: Run) -> None:
    result = run("catalog", "pull", mariadb_url(mariadb, "reader").replace("%3Fw", "X"), "-vv")
    assert result.code == 2
    assert "Access denied for user 'reader'@'localhost'" in result.err
    says_no_secret(folder, result.out, result.err)


@pytest.mark.parametrize("after", [1, 2, 4, 6, 8, 9])
@pytest.mark.parametrize("platform", ["mariadb", "postgresql"])
def test_a_line_that_is_cut_is_one_line_of_words(
    platform: str, after: int, request: pytest.FixtureRequest, folder: Path, run: Run
) -> None:
    write("q.sql", "SELECT * FROM customers")
    with behind_a_bad_line(platform, CUT, after, request) as (url, place):
        result = run("analyze", "q.sql", "--catalog", url, "-vv")
        assert result.code == 1
        assert f"warning[catalog-unavailable] {place} cannot be read: " in result.err
        assert "ask again when it can be reached" in result.err
        says_no_secret(folder, result.out, result.err)


@pytest.mark.parametrize("after", [1, 5])
@pytest.mark.parametrize("platform", ["mariadb", "postgresql"])
def test_a_server_that_falls_silent_is_given_up(
    platform: str, after: int, request: pytest.FixtureRequest, folder: Path, run: Run
) -> None:
    with behind_a_bad_line(platform, SILENT, after, request) as (url, place):
        result = run("catalog", "pull", url, "--catalog-timeout", "0.5")
        assert result.code == 2
        assert f"{place} cannot be read: it has not answered for 0.5 seconds (--catalog-timeout)" in result.err
        says_no_secret(folder, result.out, result.err)


def behind_a_bad_line(platform: str, how: str, after: int, request: pytest.FixtureRequest) -> Any:
    from contextlib import contextmanager

    if platform == "mariadb":
        socket, user, database, options = request.getfixturevalue("mariadb").socket, "reader", "shop", ""
    else:
        server = request.getfixturevalue("postgres")
        database = request.getfixturevalue("shop").partition("?")[0].rpartition("/")[2]
        socket = next(Path(server.pgdata).glob(".s.PGSQL.*[0-9]"), None) or socket_of(server)
        user, options = "postgres", "?sslmode=disable&gssencmode=disable"

    @contextmanager
    def line() -> Iterator[tuple[str, str]]:
        with bad_line(socket, how, after) as port:
            place = f"{platform}://127.0.0.1:{port}/{database}"
            yield f"{platform}://{user}:{QUOTED}@127.0.0.1:{port}/{database}{options}", place

    return line()


def socket_of(server: Any) -> Path:
    """The socket of a PostgreSQL server, out of the address that it gives."""
    from sqlalchemy import make_url

    return Path(str(make_url(server.get_uri()).query["host"])) / ".s.PGSQL.5432"


# PostgreSQL

POSTGRES = (
    "CREATE SCHEMA mart",
    "CREATE SCHEMA closed",
    'CREATE TABLE customers (id int PRIMARY KEY, "Full Name" text)',
    "CREATE TABLE orders (id int, customer int, amount numeric(10, 2), "
    "twice numeric GENERATED ALWAYS AS (amount * 2) STORED)",
    "CREATE TABLE closed.secrets (id int, word text)",
    'CREATE VIEW closed.inner_view AS SELECT id, word AS "Word" FROM closed.secrets',
    'CREATE VIEW mart.gold AS SELECT c."Full Name" AS name, sum(o.twice) AS total, max(i."Word") AS word '
    "FROM customers c JOIN orders o ON o.customer = c.id JOIN closed.inner_view i ON i.id = c.id GROUP BY 1",
)


@pytest.fixture(scope="module")
def shop(postgres: Any) -> str:
    """A database in which `nobody` has no right on a schema, and none to select from a table."""
    url = new_database(postgres, *POSTGRES)
    rights = (
        "CREATE ROLE nobody LOGIN",
        "GRANT USAGE ON SCHEMA mart, public TO nobody",
        "GRANT SELECT ON mart.gold, customers TO nobody",
    )
    execute(url, *rights)
    return url


def test_postgresql_tells_what_the_user_may_not_select(shop: str, folder: Path, run: Run) -> None:
    """PostgreSQL's catalog is open to everybody: neither USAGE of a schema nor SELECT of a table is needed to see columns and SQL."""
    write("q.sql", "INSERT INTO report SELECT * FROM mart.gold; SELECT * FROM orders")
    result = run("analyze", "q.sql", "--catalog", shop.replace("postgres:@", "nobody:@"), "--rows", "none")
    assert (result.code, result.err) == (0, "")
    assert sources(result.out) == [
        *("mart.gold.name", "mart.gold.total", "mart.gold.word"),
        *("public.orders.id", "public.orders.customer", "public.orders.amount", "public.orders.twice"),
        *("public.customers.Full", "public.orders.twice", "closed.inner_view.Word"),
        "public.orders.amount",
        *("closed.secrets.id", "closed.secrets.word"),
    ]


def test_postgresql_without_any_schema_in_use(shop: str) -> None:
    """A search path of schemas without USAGE is empty: unqualified names mean nothing, others what they say."""
    url = f"{shop.replace('postgres:@', 'nobody:@')}&options=-csearch_path%3Dclosed"
    sql = "SELECT * FROM secrets; SELECT * FROM closed.secrets"
    found = pulled(url, sql)
    assert found.default_schema is None
    assert names(found) == ["closed.secrets"]


def test_a_database_that_may_not_be_entered(shop: str, folder: Path, run: Run) -> None:
    database = shop.partition("?")[0].rpartition("/")[2]
    execute(shop, f"REVOKE CONNECT ON DATABASE {database} FROM PUBLIC")
    try:
        result = run("catalog", "pull", shop.replace("postgres:@", f"nobody:{QUOTED}@"))
        assert result.code == 2
        assert f'permission denied for database "{database}"' in result.err
        says_no_secret(folder, result.out, result.err)
    finally:
        execute(shop, f"GRANT CONNECT ON DATABASE {database} TO PUBLIC")


# SQLite and DuckDB


@pytest.mark.parametrize("platform", ["sqlite", "duckdb"])
def test_a_broken_view_costs_itself_only(platform: str, folder: Path, run: Run) -> None:
    if platform == "duckdb":
        pytest.importorskip("duckdb_sqlalchemy")
    url = f"{platform}:///shop.db"
    execute(
        url,
        "CREATE TABLE gone (z int)",
        "CREATE TABLE orders (id int, amount int, twice int GENERATED ALWAYS AS (amount * 2))",
        "CREATE VIEW dead AS SELECT * FROM gone",
        'CREATE VIEW "Alive" AS SELECT twice AS "Two" FROM orders',
        "DROP TABLE gone",
    )
    write("q.sql", "INSERT INTO report SELECT * FROM alive")
    result = run("analyze", "q.sql", "--catalog", url, "--rows", "none")
    assert (result.code, result.err) == (0, "")
    generated = ["main.orders.amount"] if platform == "sqlite" else []  # DuckDB does not tell expressions of columns
    assert [each.lower() for each in sources(result.out)] == ["main.alive.two", "main.orders.twice", *generated]
    whole = run("catalog", "pull", url)
    assert whole.code == 0
    assert {"main.Alive", "main.orders"} <= set(json.loads(whole.out))
    said = f"view main.dead of {url}: its columns cannot be read" in whole.err
    assert said == (platform == "sqlite"), "DuckDB still knows the columns"


# A Hive metastore through Spark

HIVE = (
    "CREATE SCHEMA mart",
    "CREATE TABLE mart.orders (Id INT COMMENT 'its number', amount DECIMAL(10, 2), tags ARRAY<STRING>) USING parquet COMMENT 'all'",
    "CREATE TABLE mart.parts (a INT) PARTITIONED BY (day STRING) STORED AS textfile",
    "USE mart",
    "CREATE VIEW paid AS SELECT id, amount * 2 AS twice FROM orders",
    "CREATE VIEW default.gold AS SELECT sum(twice) AS total FROM mart.paid",
)

_PULL_HIVE = """
import json, sys
from headwater.cli.main import main
from headwater.runtime.session import spark_session
with spark_session(None, json.loads(sys.argv[1])) as spark:
    for statement in json.loads(sys.argv[2]):
        spark.sql(statement)
    spark.sql("USE default")
    sys.argv = ["headwater", "catalog", "pull", "spark"]
    main()
"""


@pytest.fixture
def memory_folder() -> Iterator[Path]:
    """A folder in memory: Derby waits for the disk after every row of its own."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="headwater-metastore-", dir=memory) as made:
        yield Path(made)


def test_a_hive_metastore(folder: Path, memory_folder: Path, run: Run) -> None:
    """One process fills a metastore in Derby, and runs the command in the session that has it."""
    pytest.importorskip("pyspark")
    settings = {
        "spark.sql.catalogImplementation": "hive",
        "spark.sql.warehouse.dir": str(memory_folder / "warehouse"),
        "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={memory_folder}/metastore;create=true",
    }
    arguments = [sys.executable, "-c", _PULL_HIVE, json.dumps(settings), json.dumps(HIVE)]
    result = subprocess.run(arguments, check=False, capture_output=True, text=True, cwd=folder)
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    assert set(told) == {"$catalog", "default.gold", "mart.orders", "mart.parts", "mart.paid"}
    assert {name: said["type"] for name, said in told["mart.orders"]["columns"].items()} == {
        "Id": "int",
        "amount": "decimal(10, 2)",
        "tags": "array<string>",
    }
    assert told["mart.orders"]["comment"] == "all"
    assert list(told["mart.parts"]["columns"]) == ["a", "day"]
    assert told["mart.paid"]["default_schema"] == "mart"
    write("pulled.json", result.stdout)
    write("q.sql", "SELECT total FROM gold")
    analysed = run(
        *("analyze", "q.sql", "--schema", "pulled.json", "-d", "spark", "--default-schema", "default", "--rows", "none")
    )
    assert [each.lower() for each in sources(analysed.out)] == [
        *("default.gold.total", "mart.paid.twice", "mart.orders.id", "mart.orders.amount"),
    ]


# Snowflake, as fakesnow plays it

SNOWFLAKE = (
    "CREATE SCHEMA MART",
    'CREATE TABLE PUBLIC.ORDERS (ID INT, "Total" NUMBER(10, 2))',
    'CREATE TABLE PUBLIC."Mixed" ("a" INT)',
    "CREATE VIEW MART.GOLD AS SELECT ID AS NUMBER FROM SHOP.PUBLIC.ORDERS",
)
_PULL_SNOWFLAKE = """
import json, sys, fakesnow, snowflake.connector
from live_databases import pulled
with fakesnow.patch():
    cursor = snowflake.connector.connect(user="u", password="p", account="a", database="SHOP", schema="PUBLIC").cursor()
    for statement in json.loads(sys.argv[1]):
        cursor.execute(statement)
    print(json.dumps(pulled("snowflake://u:p@a/SHOP/PUBLIC", sys.argv[2]).document()))
"""


def test_snowflake_as_fakesnow_plays_it() -> None:
    """Runs where HEADWATER_FAKESNOW names a Python that has fakesnow and snowflake-sqlalchemy: they want another DuckDB than we do.

    fakesnow 0.12 needs snowflake-connector-python below 4, so snowflake-sqlalchemy below 1.8 and SQLAlchemy below 2.1.
    """
    python = os.environ.get("HEADWATER_FAKESNOW")
    if not python:
        pytest.skip("HEADWATER_FAKESNOW names no Python with fakesnow")
    sql = 'SELECT * FROM mart.gold; SELECT * FROM "Mixed"; SELECT * FROM mixed'
    arguments = [python, "-W", "ignore", "-c", _PULL_SNOWFLAKE, json.dumps(SNOWFLAKE), sql]
    tests = Path(__file__).parent
    found = os.pathsep.join((str(tests.parent / "src"), str(tests)))
    environment = {**os.environ, "PYTHONPATH": found}
    result = subprocess.run(arguments, check=False, capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    assert told["$catalog"] == {
        "source": "snowflake://a/SHOP/PUBLIC",
        "dialect": "snowflake",
        "default_schema": "SHOP.PUBLIC",
    }
    assert {name for name in told if name != "$catalog"} == {
        *("SHOP.MART.GOLD", "SHOP.PUBLIC.ORDERS", 'SHOP.PUBLIC."Mixed"'),
    }
    assert list(told["SHOP.PUBLIC.ORDERS"]["columns"]) == ["ID", '"Total"']
    lineage = headwater.analyze(sql, "snowflake", told, "SHOP.PUBLIC")
    assert {f"{edge.target} <- {edge.source}" for edge in lineage.column_edges(rows="none")} == {
        *("NUMBER <- SHOP.MART.GOLD.NUMBER", "a <- SHOP.PUBLIC.Mixed.a", "* <- SHOP.PUBLIC.MIXED.*"),
    }
