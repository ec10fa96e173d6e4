"""Folders that name tables: the last query of a file fills the table that its path, a manifest or a comment names."""

from __future__ import annotations

from pathlib import Path

import pytest

import headwater
from command import Run, write
from headwater.analysis import Script, analyze_scripts
from headwater.order.cut import cut
from headwater.source import PRESETS, Target, parse_manifest, scripts_of, suggestion
from headwater.sql.target import spelled_target, target_of, with_target
from headwater.sql.text import Text


def flows(sql: str, dialect: str = "spark", **options: object) -> set[str]:
    """The data flow of a script."""
    edges = headwater.analyze(sql, dialect, **options).column_edges(rows="none")  # type: ignore[arg-type]
    return {
        f"{e.target.table}.{e.target.column} <- {e.source.table}.{e.source.column}" for e in edges if e.type == "fdd"
    }


# The comment


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("-- headwater: target=mart.orders\nSELECT 1", "mart.orders"),
        ("# headwater: target = mart.orders\nSELECT 1", "mart.orders"),
        ("/* headwater: target=mart.orders */\nSELECT 1", "mart.orders"),
        ("-- about\n\n-- headwater: target=`moz-fx`.d.t\nSELECT 1", "`moz-fx`.d.t"),
        ("SELECT 1;\n-- headwater: target=mart.orders\n", "mart.orders"),
        ("-- headwater: ignore[unknown-star]\nSELECT 1", ""),
        ("SELECT '-- headwater: target=x'", ""),
        ("\n" * 12 + "-- headwater: target=late\nSELECT 1\n;\n", ""),
    ],
)
def test_the_first_lines_or_the_last_one_name_a_target(text: str, name: str) -> None:
    assert target_of(text) == name


def test_the_last_bare_query_fills_the_target() -> None:
    sql = "-- headwater: target=mart.orders\nSELECT count(*) AS n FROM raw;\nSELECT a, b + 1 AS c FROM raw"
    assert flows(sql) == {"mart.orders.a <- raw.a", "mart.orders.c <- raw.b"}


def test_statements_that_name_their_table_stay_what_they_are() -> None:
    sql = "-- headwater: target=t\nCREATE TABLE stage AS SELECT a FROM raw; SELECT a AS x FROM stage; DELETE FROM log WHERE a > 1"
    assert flows(sql) == {"stage.a <- raw.a", "t.x <- stage.a"}


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE OR REPLACE VIEW t AS SELECT a FROM raw; SELECT * FROM t",
        "INSERT INTO t SELECT a FROM raw; SELECT a FROM t",
    ],
)
def test_a_script_that_makes_the_table_itself_is_left_alone(sql: str) -> None:
    assert "t.a <- raw.a" in flows(f"-- headwater: target=t\n{sql}")
    assert "t.a <- t.a" not in flows(f"-- headwater: target=t\n{sql}")


def test_a_query_with_into_is_not_bare() -> None:
    assert flows("-- headwater: target=t\nSELECT a INTO u FROM raw", "postgres") == {"u.a <- raw.a"}
    sql = "-- headwater: target=t\nWITH s AS (SELECT a FROM raw) INSERT INTO u SELECT a FROM s"
    assert flows(sql, "postgres") == {"u.a <- raw.a"}


def test_every_branch_of_a_template_fills_it() -> None:
    other = "WITH w AS (SELECT b FROM r2) SELECT b AS x FROM w"
    sql = f"{{% if init %}} SELECT a AS x FROM r1 {{% else %}} {other} {{% endif %}}"
    assert flows(f"-- headwater: target=t\n{sql}") == {"t.x <- r1.a", "t.x <- r2.b"}


def test_names_fold_unless_they_are_quoted() -> None:
    assert flows("-- headwater: target=mart.orders\nSELECT a FROM r", "snowflake") == {"MART.ORDERS.A <- R.A"}
    assert flows('-- headwater: target=mart."orders"\nSELECT a FROM r', "snowflake") == {"MART.orders.A <- R.A"}
    assert flows("-- headwater: target=`moz-fx`.d.t\nSELECT a FROM d.r", "bigquery") == {"moz-fx.d.t.a <- d.r.a"}


def test_the_default_schema_is_that_of_the_target_too() -> None:
    assert flows("-- headwater: target=t\nSELECT a FROM r", default_schema="s") == {"s.t.a <- s.r.a"}


def test_places_are_those_of_the_file() -> None:
    sql = "SELECT a,\n  b + 1 AS c\nFROM raw"
    made = headwater.analyze(with_target(sql, "t"))
    (edge,) = (e for e in made.column_edges(rows="none") if e.target.column == "c")
    assert edge.span is not None
    assert sql[edge.span.start : edge.span.end] == "b + 1"


def test_the_same_query_that_fills_two_tables_is_two_processes() -> None:
    one, other = (headwater.analyze(with_target("SELECT a FROM r", name)) for name in ("t", "u"))
    assert one.statements[0].resolution.process.query_hash != other.statements[0].resolution.process.query_hash


@pytest.mark.slow
def test_a_heavy_query_fills_it_too() -> None:
    columns = ", ".join(f"coalesce(a{i}, {i}) AS c{i}" for i in range(6000))
    made = flows(with_target(f"SELECT {columns} FROM r", "t"))
    assert "t.c5999 <- r.a5999" in made


def test_the_pipeline_cuts_the_same_statement() -> None:
    made = cut(with_target("SELECT 1 AS z; SELECT a FROM r", "s.t"), ["spark"], "")
    assert [each.mentions.defined for each in made.cuts] == [(), (("s", "t"),)]
    assert flows(made.cuts[1].raw) == {"s.t.a <- r.a"}
    assert flows(made.cuts[0].raw) == set()


def test_other_scripts_know_the_table() -> None:
    texts = ["INSERT INTO o SELECT * FROM s.t", with_target("SELECT a, b AS c FROM r", "s.t")]
    scripts = [Script(Path(f"{n}.sql"), Text(text, "utf-8")) for n, text in enumerate(texts)]
    first, _ = analyze_scripts(scripts)
    assert {(e.target.column, e.source.column) for e in first.column_edges(rows="none")} == {("a", "a"), ("c", "c")}


# Patterns


ETL = Target(("sql/{project}/{dataset}/{table}/query.sql",), "{project}.{dataset}.{table}", "schema.yaml")


def test_a_path_names_a_table() -> None:
    found = ETL.filled("sql/moz-fx/search/daily_v1/query.sql")
    assert found is not None
    assert (found.table, found.columns) == ('"moz-fx".search.daily_v1', "sql/moz-fx/search/daily_v1/schema.yaml")
    assert ETL.filled("sql/moz-fx/search/daily_v1/checks.sql") is None
    assert ETL.filled("sql/a/moz-fx/search/daily_v1/query.sql") is None


def test_a_part_of_a_name_and_stars() -> None:
    target = Target(("**/{schema}/load_{table}.sql",), "{schema}.{table}", "../columns/{table}.json")
    found = target.filled("etl/x/mart/load_orders.sql")
    assert found is not None
    assert (found.table, found.columns) == ("mart.orders", "etl/x/mart/../columns/orders.json")


def test_a_template_with_a_name_that_the_path_lacks_is_refused() -> None:
    with pytest.raises(ValueError, match=r"names \{dataset\}, which the path sql/\{table\}.sql does not have"):
        Target(("sql/{table}.sql",), "{dataset}.{table}")


@pytest.mark.parametrize(
    ("preset", "path", "table"),
    [
        ("bigquery-etl", "sql/moz-fx/d/t_v1/query.sql", '"moz-fx".d.t_v1'),
        ("bigquery-etl", "repo/sql/p/d/t/part1.sql", "p.d.t"),
        ("bigquery-etl", "sql/p/d/t/init.sql", "p.d.t"),
        ("bigquery-etl", "sql/p/d/t/checks.sql", None),
        ("file-per-view", "views/mart/orders.sql", "mart.orders"),
        ("airflow", "dags/sql/mart/orders.sql", "mart.orders"),
        ("airflow", "dags/mart/sql/orders.sql", "mart.orders"),
        ("airflow", "sql/mart/orders.sql", None),
    ],
)
def test_presets(preset: str, path: str, table: str | None) -> None:
    found = PRESETS[preset].filled(path)
    assert (found.table if found else None) == table


def test_parts_that_are_no_plain_names_are_quoted() -> None:
    assert spelled_target(["moz-fx", "d", "2024"]) == '"moz-fx".d."2024"'


# Settings


def test_the_commands_fill_what_paths_name(folder: Path, run: Run) -> None:
    write(
        "headwater.toml",
        '[[targets]]\npath = "sql/{schema}/{table}.sql"\ntable = "{schema}.{table}"\ncolumns = "{table}.json"\n',
    )
    write("sql/mart/a_report.sql", "SELECT * FROM mart.orders")
    write("sql/mart/orders.sql", "SELECT * FROM raw.orders")
    write("sql/mart/orders.json", '[{"name": "id", "type": "INTEGER"}, {"name": "total", "type": "FLOAT"}]')
    out = run("analyze", "sql", "--rows", "none").out
    assert "Create Table mart.a_report  sql/mart/a_report.sql:1:1" in out
    assert "mart.a_report.total" in out
    assert "mart.orders.id\n    <- raw.orders.id" in out
    checked = run("check", "sql", "--select", "unknown-star")
    assert "unknown-star" not in checked.out
    assert "mart;a_report" in run("export", "sql", "--format", "sqlflow-csv", "--level", "table").out


def test_a_preset_tells_the_dialect_of_the_other_files(folder: Path, run: Run) -> None:
    write("headwater.toml", '[[targets]]\npreset = "bigquery-etl"\n')
    write("sql/shop/mart/orders/query.sql", "SELECT a FROM raw")
    write("sql/shop/mart/orders/checks.sql", "#fail\nSELECT `b` FROM `shop.raw.t`")
    out = run("analyze", "sql", "--rows", "none").out
    assert "Select  sql/shop/mart/orders/checks.sql:2:1  bigquery" in out
    assert "checks.sql:2:1  bigquery" not in run("analyze", "sql", "--rows", "none", "--dialect", "spark").out


def test_targets_of_several_dialects_tell_nothing_of_other_files(folder: Path, run: Run) -> None:
    other = '[[targets]]\npath = "{table}.txt"\ntable = "{table}"\n'
    write("headwater.toml", f'[[targets]]\npreset = "bigquery-etl"\n{other}')
    write("other.sql", "SELECT a FROM t")
    assert "Select  other.sql:1:1  spark" in run("analyze", "other.sql", "--rows", "none").out


def test_a_target_has_a_dialect_and_a_default_schema(folder: Path, run: Run) -> None:
    write(
        "headwater.toml",
        '[[targets]]\npath = "{table}.sql"\ntable = "{table}"\ndialect = "snowflake"\ndefault-schema = "MART"\n',
    )
    write("orders.sql", "SELECT a FROM raw")
    assert "Create Table MART.ORDERS  " in run("analyze", "orders.sql", "--rows", "none").out
    assert "Create Table mart.orders  " in run("analyze", "orders.sql", "--rows", "none", "--dialect", "spark").out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[targets]]\npreset = "dbt"\n', "preset must be one of bigquery-etl, file-per-view, airflow"),
        ('[[targets]]\npath = "a/{table}.sql"\n', "a target needs a path and a table, or a preset"),
        ('[[targets]]\npath = "a.sql"\ntable = "{t}"\n', "names {t}, which the path a.sql does not have"),
        ('[[targets]]\npaths = "a"\n', "unknown key paths; did you mean path"),
        ("targets = 1\n", "targets must be tables: [[targets]]"),
    ],
)
def test_settings_that_are_wrong_are_told_with_their_line(folder: Path, run: Run, text: str, words: str) -> None:
    write("headwater.toml", text)
    write("a.sql", "SELECT 1")
    result = run("analyze", "a.sql")
    assert result.code == 2
    assert "headwater.toml" in result.err
    assert words in result.err.replace("'", "")


def test_a_manifest_names_targets() -> None:
    (entry,) = parse_manifest("m.csv", b"path,target\nq.sql,mart.orders\n")
    (script,) = scripts_of("q.sql", b"SELECT a FROM r")
    assert flows(entry.applied(script).text) == {"mart.orders.a <- r.a"}


# Suggestions


def test_hundreds_of_bare_queries_are_worth_a_setting() -> None:
    paths = [f"sql/moz-fx/d/t{n}/query.sql" for n in range(150)]
    words = suggestion(paths)
    assert 'preset = "bigquery-etl"' in words
    assert "150 files are bare queries in a layout that names tables, such as sql/moz-fx/d/t0/query.sql" in words
    assert suggestion(paths[:50]) == ""
    assert suggestion([f"t{n}.sql" for n in range(150)]) == ""


def test_only_bare_queries_count(folder: Path) -> None:
    from headwater.cli.suggested_targets import suggested_targets

    for n in range(120):
        write(f"sql/p/d/t{n}/query.sql", "-- about\n/* more */ SELECT a FROM r")
    assert any('preset = "bigquery-etl"' in line for line in suggested_targets(["sql"], ()))
    for n in range(120):
        write(f"sql/p/d/t{n}/query.sql", "INSERT INTO t SELECT a FROM r")
    assert list(suggested_targets(["sql"], ())) == []


# The examples

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_the_example_of_folders(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES / "folders")
    result = run("analyze", "sql", "--format", "csv")
    rows = {tuple(line.split(",")[i] for i in (0, 1, 3, 4)) for line in result.out.splitlines()[1:]}
    mart, raw = "shop-prod.mart", "shop-prod.raw"
    assert rows == {
        (f"{raw}.customers", "id", "id", f"{mart}.customer_value"),
        (f"{raw}.customers", "name", "name", f"{mart}.customer_value"),
        (f"{raw}.customers", "country", "country", f"{mart}.customer_value"),
        (f"{mart}.orders_daily", "revenue", "revenue", f"{mart}.customer_value"),
        (f"{raw}.orders", "ordered_at", "day", f"{mart}.orders_daily"),
        (f"{raw}.orders", "customer_id", "customer_id", f"{mart}.orders_daily"),
        (f"{raw}.orders", "items.price", "revenue", f"{mart}.orders_daily"),
        (f"{raw}.orders", "ordered_at", "revenue", f"{mart}.orders_daily"),  # the keys of the groups
        (f"{raw}.orders", "customer_id", "revenue", f"{mart}.orders_daily"),
        (f"{mart}.customer_value", "id", "id", f"{mart}.report"),
        (f"{mart}.customer_value", "country", "country", f"{mart}.report"),
        (f"{mart}.customer_value", "revenue", "revenue", f"{mart}.report"),
    }
    assert result.code == 0


def test_the_example_of_notebooks(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES / "notebooks")
    result = run("analyze", ".", "--dialect", "databricks", "--no-config", "--format", "csv")
    rows = {tuple(line.split(",")[i] for i in (0, 1, 3, 4)) for line in result.out.splitlines()[1:]}
    assert {each for each in rows if each[0] and each[3]} == {
        ("mart.by_customer", "customer_id", "customer_id", "mart.revenue"),
        ("mart.by_customer", "revenue", "revenue", "mart.revenue"),
        ("stage.orders", "customer_id", "customer_id", "mart.by_customer"),
        ("stage.orders", "amount", "revenue", "mart.by_customer"),
        ("stage.orders", "customer_id", "revenue", "mart.by_customer"),  # the key of the groups
        ("raw.orders_${suffix}", "id", "order_id", "stage.orders"),
        ("raw.orders_${suffix}", "customer", "customer_id", "stage.orders"),
        ("raw.orders_${suffix}", "amount", "amount", "stage.orders"),
    }
    assert result.code == 0


def test_a_schema_file_of_a_table_that_no_query_fills() -> None:
    assert PRESETS["bigquery-etl"].described("sql/moz-fx/d/t/schema.yaml") == '"moz-fx".d.t'
    assert PRESETS["bigquery-etl"].described("sql/moz-fx/d/schema.yaml") == ""
    assert PRESETS["file-per-view"].described("d/schema.yaml") == ""
