"""Live catalogs at the command line: URLs and profiles, SQLite and DuckDB, drivers that are missing, and secrets that stay secret."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from command import Run, line_with, write
from headwater.catalog import CatalogError
from headwater.catalog.failure import DriverMissing
from headwater.catalog.live import LiveDatabase
from headwater.catalog.url import address, expanded, shown
from headwater.catalog.wanted import wanted_by
from headwater.sql.dialect import dialect
from live_databases import execute, names, new_database, pulled, table

SHOP = (
    "CREATE TABLE Customers (Id integer PRIMARY KEY, Name text NOT NULL)",
    "CREATE TABLE orders (id integer PRIMARY KEY, customer integer REFERENCES Customers (Id), amount numeric)",
    "CREATE VIEW paid AS SELECT o.id, name FROM orders o JOIN customers c ON c.id = o.customer",
    "CREATE VIEW gold AS SELECT * FROM paid",
)
SECRET = "s3cr@t:/p?w"
"""A password with every sign that means something in a URL."""


@pytest.fixture(autouse=True)
def no_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEADWATER_CATALOG_URL", raising=False)


@pytest.fixture(params=["sqlite", "duckdb"])
def shop(request: pytest.FixtureRequest, folder: Path) -> str:
    """A small database in a file."""
    if request.param == "duckdb":
        pytest.importorskip("duckdb_sqlalchemy")
    url = f"{request.param}:///shop.db"
    execute(url, *SHOP)
    return url


def sources(out: str) -> list[str]:
    """The columns behind the arrows, in one case and without quotes: DuckDB has its own spelling in views."""
    return [line.split()[1].lower().replace('"', "") for line in out.splitlines() if "<-" in line]


# SQLite and DuckDB


def test_everything_is_read(shop: str) -> None:
    found = pulled(shop)
    assert names(found) == ["main.Customers", "main.gold", "main.orders", "main.paid"]
    customers = table(found, "main.Customers")
    assert [(c.name, c.nullable) for c in customers.columns][1] == ("Name", False)
    assert customers.primary_key == ("Id",)
    (key,) = table(found, "main.orders").foreign_keys
    assert (key.columns, key.table, key.referred) == (("customer",), ("main", "Customers"), ("Id",))
    assert table(found, "main.paid").kind == "view"
    assert table(found, "main.paid").sql.upper().startswith("CREATE VIEW PAID AS SELECT")


def test_what_is_used_is_read_whatever_its_case(shop: str) -> None:
    assert names(pulled(shop, "SELECT * FROM CUSTOMERS")) == ["main.Customers"]
    assert names(pulled(shop, 'SELECT * FROM "GOLD"')) == ["main.Customers", "main.gold", "main.orders", "main.paid"]


def test_analyze_asks(folder: Path, run: Run, shop: str) -> None:
    write("q.sql", "INSERT INTO report SELECT * FROM Gold")
    result = run("analyze", "q.sql", "--catalog", shop, "--rows", "none")
    assert (result.code, result.err) == (0, "")
    assert sources(result.out) == [
        *("main.gold.id", "main.gold.name"),
        *("main.paid.id", "main.paid.name"),
        *("main.orders.id", "main.customers.name"),
    ]
    line_with(result.out, "main.report.id = *")
    line_with(result.out, f"{shop}/main.gold:1:1")
    line_with(result.out, f"{shop}/main.paid:1:1")


def test_a_view_that_the_script_defines_is_the_scripts_own(folder: Path, run: Run, shop: str) -> None:
    write("q.sql", "CREATE VIEW gold AS SELECT id FROM orders; INSERT INTO report SELECT * FROM gold")
    result = run("analyze", "q.sql", "--catalog", shop, "--rows", "none")
    assert (result.code, result.err) == (0, "")
    assert sources(result.out) == [
        *("main.orders.id", "main.gold.id"),
    ]


def test_views_of_a_pulled_file_are_followed_too(folder: Path, run: Run, shop: str) -> None:
    write("q.sql", "SELECT name FROM gold")
    assert run("catalog", "pull", shop, "-o", "shop.json").code == 0
    result = run(
        *("analyze", "q.sql", "--schema", "shop.json", "-d", "sqlite", "--default-schema", "main", "--rows", "none")
    )
    assert sources(result.out) == [
        *("main.gold.name", "main.paid.id", "main.paid.name", "main.orders.id", "main.customers.name"),
    ]


def test_export_asks_and_follows(folder: Path, run: Run, shop: str) -> None:
    write("q.sql", "INSERT INTO report SELECT name FROM gold")
    result = run("export", "q.sql", "--catalog", shop, "--format", "sqlflow-csv", "--level", "table")
    assert (result.code, result.err) == (0, "")
    pairs = [line.lower().split(";") for line in result.out.splitlines()[1:]]
    assert {(pair[2], pair[5]) for pair in pairs} == {
        *(("gold", "report"), ("paid", "gold"), ("orders", "paid"), ("customers", "paid")),
    }


def test_verify_asks(folder: Path, run: Run, shop: str) -> None:
    write("q.sql", "SELECT * FROM orders")
    assert "not-run" in run("verify", "q.sql", "-d", "sqlite").out
    result = run("verify", "q.sql", "--catalog", shop)
    assert (result.code, result.err) == (0, "")
    assert "1 holds" in result.out


def test_check_asks(folder: Path, run: Run, shop: str) -> None:
    write("q.sql", "INSERT INTO report SELECT * FROM gold")
    assert "unknown-star" in run("check", "q.sql", "-d", "sqlite").out
    assert "unknown-star" not in run("check", "q.sql", "--catalog", shop).out


def test_pull_writes_what_schema_reads(folder: Path, run: Run, shop: str) -> None:
    result = run("catalog", "pull", shop, "-o", "shop.json")
    assert (result.code, result.out) == (0, "")
    assert result.err == f"2 tables and 2 views, 9 columns of {shop} in shop.json\n"
    told = json.loads(Path("shop.json").read_text())
    assert told["main.Customers"]["kind"] == "table"
    assert told["$catalog"]["default_schema"] == "main"
    write("q.sql", "SELECT * FROM gold")
    answer = run("analyze", "q.sql", "--schema", "shop.json", "-d", "sqlite", "--default-schema", "main")
    line_with(answer.out, "<- main.gold.id")


def test_pull_for_some_scripts(folder: Path, run: Run, shop: str) -> None:
    write("sql/a.sql", "SELECT * FROM orders")
    told = json.loads(run("catalog", "pull", shop, "--for", "sql").out)
    assert set(told) == {"$catalog", "main.orders"}


# Which catalog


def test_a_profile(folder: Path, run: Run, shop: str) -> None:
    write("headwater.toml", f'[catalogs.shop]\nurl = "{shop}"\nexclude = ["main"]\n[catalogs.all]\nurl = "env:SHOP"\n')
    assert set(json.loads(run("catalog", "pull", "shop").out)) == {"$catalog"}
    wrong = run("catalog", "pull", "shpo")
    assert (wrong.code, wrong.err) == (2, "Error: there is no catalog 'shpo'; there are shop, all\n")


def test_the_environment_names_one(folder: Path, run: Run, shop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_CATALOG_URL", shop)
    assert len(json.loads(run("catalog", "pull").out)) == 5
    write("q.sql", "SELECT * FROM orders")
    line_with(run("analyze", "q.sql").out, "<- main.orders.amount")
    line_with(run("analyze", "q.sql", "--catalog", "", "-d", "sqlite").out, "<- orders.*")
    assert 'catalog = "env:HEADWATER_CATALOG_URL"' in run("config").out


def test_what_the_user_says_wins_over_the_database(folder: Path, run: Run, shop: str) -> None:
    write("q.sql", "SELECT * FROM orders")
    result = run("analyze", "q.sql", "--catalog", shop, "--default-schema", "other")
    assert "other.orders" in result.out
    line_with(run("analyze", "q.sql", "--catalog", shop, "-d", "spark").out, "<- orders.amount")


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("postgresql://u:${PW}@h/d", "postgresql://u:s3cr%40t%3A%2Fp%3Fw@h/d"),
        ("postgresql://${HOST}/d", "postgresql://db:5432/d"),
        ("env:URL", "sqlite:///x.db"),
        ("sqlite:///a.db", "sqlite:///a.db"),
    ],
)
def test_variables_in_urls(text: str, url: str) -> None:
    assert expanded(text, {"PW": SECRET, "HOST": "db:5432", "URL": "sqlite:///x.db"}) == url


def test_any_password_arrives() -> None:
    assert address("postgresql://u:${PW}@h/d", {"PW": SECRET}).url.password == SECRET


def test_a_variable_that_is_not_set(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOPE", raising=False)
    result = run("catalog", "pull", "postgresql://u:${NOPE}@h/d")
    assert (result.code, result.err) == (2, "Error: the environment has no NOPE, which the catalog's URL asks for\n")


def test_no_url_at_all(folder: Path, run: Run) -> None:
    assert "name a database's URL" in run("catalog", "pull").err
    wrong = run("catalog", "pull", "postgresql://u:s3cret@h:port/d")
    assert wrong.code == 2
    assert "this is not the URL of a database" in wrong.err
    assert "s3cret" not in wrong.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[catalogs.a]\nexclude = []\n", ":1: a catalog needs a url"),
        ("[catalogs.a]\nurl = 5\n", ":2: url must be a string"),
        ('[catalogs.a]\nurl = "x"\nuser = "y"\n', ":3: unknown key user"),
        ("catalogs = 1\n", ":1: catalogs must be tables: [catalogs.NAME]"),
        ("ttl = -1\n", ":1: ttl must be a number above 0"),
    ],
)
def test_a_wrong_profile(folder: Path, run: Run, content: str, said: str) -> None:
    write("headwater.toml", content)
    result = run("config")
    assert result.code == 2
    assert said in result.err


# Names


def test_statements_that_put_a_schema_in_use() -> None:
    spoken = dialect("snowflake")
    found = wanted_by([("USE SCHEMA mart; SELECT * FROM t", spoken)])
    assert found.has(("DB", "MART"), "T", [("DB", "PUBLIC")], spoken)
    assert not found.has(("DB", "OTHER"), "T", [("DB", "PUBLIC")], spoken)


def test_names_of_three_parts() -> None:
    spoken = dialect("tsql")
    found = wanted_by([("SELECT * FROM [Shop].[dbo].[Orders]; SELECT * FROM sales.Lines", spoken)])
    path = [("shop", "dbo")]
    assert found.has(("shop", "dbo"), "ORDERS", path, spoken)
    assert found.has(("shop", "Sales"), "lines", path, spoken)
    assert not found.has(("shop", "Sales"), "orders", path, spoken)
    assert not found.has(("shop", "dbo"), "Lines", path, spoken)


# Drivers


@pytest.mark.parametrize(
    ("url", "module", "said"),
    [
        (
            "postgresql://h/d",
            "psycopg",
            "the driver for postgresql is not installed: pip install 'headwater[postgres]'",
        ),
        ("mysql://h/d", "pymysql", "the driver for mysql is not installed: pip install 'headwater[mysql]'"),
        ("mariadb://h/d", "pymysql", "the driver for mariadb is not installed: pip install 'headwater[mysql]'"),
        ("mssql://h/d", "pymssql", "the driver for mssql is not installed: pip install 'headwater[mssql]'"),
        (
            "snowflake://a/d",
            "snowflake",
            "the driver for snowflake is not installed: pip install 'headwater[snowflake]'",
        ),
        (
            "bigquery://p/d",
            "sqlalchemy_bigquery",
            "the driver for bigquery is not installed: pip install 'headwater[bigquery]'",
        ),
        (
            "redshift://h/d",
            "sqlalchemy_redshift",
            "the driver for redshift is not installed: pip install 'headwater[redshift]'",
        ),
        ("trino://h/c", "trino", "the driver for trino is not installed: pip install 'headwater[trino]'"),
        (
            "databricks://h",
            "databricks",
            "the driver for databricks is not installed: pip install 'headwater[databricks]'",
        ),
        (
            "duckdb:///:memory:",
            "duckdb_sqlalchemy",
            "the driver for duckdb is not installed: pip install 'headwater[duckdb]'",
        ),
        ("postgresql+nope://h/d", "nope", "leave +nope out of the URL and pip install 'headwater[postgres]'"),
        ("nodb://h/d", "nodb", "there is no SQLAlchemy dialect nodb here"),
    ],
)
def test_a_missing_driver_names_its_extra(url: str, module: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy.dialects import registry

    monkeypatch.setattr(registry, "impls", {})
    monkeypatch.setitem(sys.modules, module, None)
    live = LiveDatabase.at(url)
    with pytest.raises(DriverMissing) as error, live.explained(), live.connected():
        pass
    assert said in str(error.value)


def test_without_sqlalchemy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    with pytest.raises(CatalogError, match=r"SQLAlchemy is not installed: pip install 'headwater\[postgres\]'"):
        address("postgresql://h/d")


# Secrets


def everything(folder: Path) -> bytes:
    return b"\n".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


@pytest.mark.parametrize(
    "command", [("catalog", "pull"), ("analyze", "q.sql", "--catalog"), ("check", "q.sql", "--catalog")]
)
def test_a_server_that_is_down_tells_no_secret(
    folder: Path, run: Run, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PW", SECRET)
    write("q.sql", "SELECT * FROM t")
    result = run(*command, "postgresql://me:${PW}@127.0.0.1:1/shop?sslpassword=t0ken", "-vv")
    assert result.code == (2 if command[0] == "catalog" else 1)
    assert "postgresql://127.0.0.1:1/shop cannot be read" in result.out + result.err
    assert "Traceback" not in result.err
    told = (result.out + result.err).encode() + everything(folder)
    for secret in (SECRET, "s3cr%40t", "s3cr", "t0ken"):
        assert secret.encode() not in told


def test_a_wrong_password_tells_no_secret(folder: Path, run: Run, postgres: Any) -> None:
    url = new_database(postgres, "CREATE TABLE t (a int)", "CREATE ROLE locked LOGIN PASSWORD 'right'")
    rules = postgres.pgdata / "pg_hba.conf"
    rules.write_text(f"local all locked scram-sha-256\n{rules.read_text()}")
    execute(url, "SELECT pg_reload_conf()")
    url = url.replace("postgres:@", "locked:s3cr%40t@")
    write("q.sql", "SELECT * FROM t")
    result = run("analyze", "q.sql", "--catalog", url)
    assert result.code == 1
    assert "warning[catalog-unavailable]" in result.err
    assert 'password authentication failed for user "locked"' in result.err
    assert "s3cr" not in result.out + result.err
    assert b"s3cr" not in everything(folder)


def test_what_a_driver_quotes_is_scrubbed(folder: Path) -> None:
    live = LiveDatabase.at("sqlite:///shop.db").address
    named = address("postgresql://u:${PW}@h/d?token=abc123", {"PW": SECRET})
    said = f'invalid dsn: "postgresql://u:s3cr%40t%3A%2Fp%3Fw@h/d", password={SECRET} token abc123'
    scrubbed = named.scrubbed(said)
    assert "s3cr" not in scrubbed
    assert "abc123" not in scrubbed
    assert live.scrubbed("plain") == "plain"


def test_what_a_driver_raises_is_one_line_without_sql(monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy.exc import OperationalError

    live = LiveDatabase.at("postgresql://u:s3cret@h/d")
    with pytest.raises(CatalogError) as error, live.explained():
        raise OperationalError("SELECT 's3cret'", {"p": "s3cret"}, Exception("refused for s3cret\nDETAIL: s3cret"))
    assert str(error.value) == "postgresql://h/d cannot be read: refused for ***"
    with pytest.raises(CatalogError) as error, live.explained():
        raise RuntimeError("s3cret in words nobody expects")
    assert str(error.value) == "postgresql://h/d cannot be read: RuntimeError"
    assert error.value.__cause__ is None


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://u:pw@h/d", "postgresql://u:***@h/d"),
        ("postgresql://u:${PW}@h/d", "postgresql://u:${PW}@h/d"),
        ("snowflake://u:a@b@acc/d?warehouse=w&token=t", "snowflake://u:***@acc/d?warehouse=w&token=***"),
        ("env:URL", "env:URL"),
        ("shop", "shop"),
    ],
)
def test_urls_are_shown_without_passwords(url: str, told: str, folder: Path, run: Run) -> None:
    assert shown(url) == told
    write("headwater.toml", f'catalog = "{url}"\n')
    assert f'catalog = "{told}"' in run("config").out
    assert json.loads(run("config", "--format", "json").out)["settings"]["catalog"]["value"] == told


def test_passwords_in_views_are_hidden(folder: Path, run: Run) -> None:
    execute("sqlite:///shop.db", "CREATE VIEW far AS SELECT 'host=h user=u password=hunter2' AS dsn")
    result = run("catalog", "pull", "sqlite:///shop.db", "-o", "shop.json")
    assert result.code == 0
    assert "CREATE VIEW far AS SELECT" in json.loads(Path("shop.json").read_text())["main.far"]["sql"]
    for file in (Path("shop.json"), *Path(".headwater").rglob("*.json")):
        assert b"hunter2" not in file.read_bytes()


def test_progress_tells_places_only(folder: Path) -> None:
    told: list[str] = []
    execute("sqlite:///shop.db", "CREATE TABLE t (a int)")
    pulled("sqlite://u:s3cret@/shop.db?token=t0ken", tell=told.append)
    pulled("postgresql://u:s3cret@127.0.0.1:1/shop", tell=told.append)
    assert "connecting to postgresql://127.0.0.1:1/shop" in told
    assert not any("s3cret" in line or "t0ken" in line for line in told)


def test_the_cache_knows_no_credentials(folder: Path, run: Run, postgres: Any) -> None:
    url = new_database(postgres, "CREATE TABLE t (a int)").replace("postgres:@", "postgres:s3cr%40t@")
    result = run("catalog", "pull", url, "-vv")
    assert result.code == 0, result.err
    assert "s3cr" not in result.out + result.err
    assert b"s3cr" not in everything(folder)
    assert b"postgres:" not in everything(folder)
