"""`headwater project`, and the switch that turns everything off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import Run

GOOD = """\
name: shop
sources: [{name: warehouse, type: duckdb, database: shop.duckdb}]
models:
  - name: orders
    source: ${ref(warehouse)}
    sql: SELECT amount, region FROM raw_orders
    metrics:
      - {name: revenue, expression: SUM(amount)}
insights:
  - name: by_region
    props: {type: bar, x: "?{${ref(orders).region}}", y: "?{${ref(orders).revenue}}"}
charts: [{name: sales, insights: ["${ref(by_region)}"]}]
"""
BAD = GOOD.replace("${ref(orders).region}", "${ref(ordrs).region}").replace("SUM(amount)", "amount")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "project.visivo.yml").write_text(GOOD)
    return tmp_path


def test_a_clean_project(run: Run, shop: Path) -> None:
    code, out, err = run("project", "check")
    assert (code, out, err) == (0, "", "no findings\n")


def test_what_is_wrong_is_said_with_file_and_line(run: Run, shop: Path) -> None:
    (shop / "project.visivo.yml").write_text(BAD)
    code, out, err = run("project", "check", "--color", "never")
    assert code == 1
    assert "project.visivo.yml:8:" in out
    assert "error[metric-without-aggregate] metric orders.revenue neither aggregates" in out
    assert "project.visivo.yml:11:" in out
    assert "error[unknown-reference] there is nothing called ordrs" in out
    assert "did you mean orders?" in out
    assert err == "2 errors\n"


def test_findings_for_programs(run: Run, shop: Path) -> None:
    (shop / "project.visivo.yml").write_text(BAD)
    found = json.loads(run("project", "check", "--format", "json").out)["findings"]
    assert sorted(each["rule"] for each in found) == ["metric-without-aggregate", "unknown-reference"]
    sarif = json.loads(run("project", "check", "--format", "sarif").out)
    assert [result["ruleId"] for result in sarif["runs"][0]["results"]]
    github = run("project", "check", "--format", "github").out
    assert github.count("::error file=project.visivo.yml,line=") == 2


def test_what_a_metric_is_made_of(run: Run, shop: Path) -> None:
    code, out, _ = run("project", "resolve", "orders.revenue", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert found["name"] == "shop.metric.orders.revenue.value"
    assert found["columns"] == ["warehouse.raw_orders.amount"]
    text = run("project", "resolve", "by_region.y").out
    assert "values from" in text
    assert "warehouse.raw_orders.amount" in text


def test_nothing_of_that_name(run: Run, shop: Path) -> None:
    code, out, err = run("project", "resolve", "ordrs.revenue")
    assert (code, out) == (2, "")
    assert "did you mean orders?" in err


def test_no_project(run: Run, tmp_path: Path) -> None:
    code, _, err = run("project", "check", str(tmp_path))
    assert code == 2
    assert "none of project.visivo.yml, dbt_project.yml, workflow_settings.yaml, config.yaml" in err


def test_what_there_is(run: Run, shop: Path) -> None:
    found = json.loads(run("project", "show", "--format", "json").out)
    kinds = [each["kind"] for each in found["objects"]]
    assert kinds == ["source", "model", "metric", "insight", "chart"]
    assert {each["path"] for each in found["objects"]} == {"project.visivo.yml"}


def test_everything_can_be_switched_off(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (shop / "project.visivo.yml").write_text(BAD)
    monkeypatch.setenv("HEADWATER_LINEAGE", "off")
    code, out, err = run("project", "check")
    assert (code, out) == (0, "")
    assert "switched off by HEADWATER_LINEAGE" in err


def test_a_database_is_asked_for_the_tables_below(run: Run, shop: Path) -> None:
    """The one source that speaks the database's dialect is that database: its schema, its columns."""
    import sqlite3

    with sqlite3.connect(shop / "shop.db") as database:
        database.execute("CREATE TABLE raw_orders (id INTEGER, amount INTEGER, region TEXT)")
    text = GOOD.replace("type: duckdb, database: shop.duckdb", "type: sqlite, database: shop.db")
    text = text.replace("SELECT amount, region FROM raw_orders", "SELECT * FROM raw_orders")
    (shop / "project.visivo.yml").write_text(text.replace("SUM(amount)", "SUM(amonut)"))
    code, out, _ = run("project", "check", "--catalog", "sqlite:///shop.db", "--color", "never")
    assert code == 1
    assert "no table in FROM has a column amonut" in out
    assert "did you mean amount?" in out
    (shop / "project.visivo.yml").write_text(text)
    found = json.loads(run("project", "resolve", "orders.revenue", "-f", "json", "--catalog", "sqlite:///shop.db").out)
    assert found["columns"] == ["main.raw_orders.amount"]


def test_the_schema_of_a_source_can_be_told(run: Run, shop: Path) -> None:
    told = run("project", "resolve", "orders.revenue", "-f", "json", "--source-schema", "warehouse=analytics.mart").out
    assert json.loads(told)["columns"] == ["analytics.mart.raw_orders.amount"]


def test_the_schema_of_a_source_that_is_not_there(run: Run, shop: Path) -> None:
    code, _, err = run("project", "check", "--source-schema", "warehose=analytics.mart")
    assert code == 2
    assert "there is no source warehose; did you mean warehouse?" in err


def test_projects_below_a_folder_are_named(run: Run, tmp_path: Path) -> None:
    project = tmp_path / "shops" / "north"
    project.mkdir(parents=True)
    (project / "dbt_project.yml").write_text("name: north\n")
    code, _, err = run("project", "check", str(tmp_path / "shops"))
    assert code == 2
    assert f"; there is one at {project}" in err


def test_commands_for_scripts_read_projects_below_a_folder(tmp_path: Path, run: Run) -> None:
    """A repository: a project in a folder, scripts beside it, and a settings file that makes no project."""
    files = {
        "transform/shop/dbt_project.yml": "name: shop\n",
        "transform/shop/seeds/raw.csv": "id,cents\n1,2\n",
        "transform/shop/macros/m.sql": "{% macro euros(c) %}{{ c }} / 100{% endmacro %}",
        "transform/shop/models/stg.sql": "select id, {{ euros('cents') }} as euros from {{ ref('raw') }}",
        "load/config.yaml": "retries: 3\n",
        "load/orders.sql": "insert into mart.orders (id) select o.id from raw.orders o",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    code, out, _ = run("analyze", tmp_path, "-d", "postgres")
    assert code == 0
    assert {"<- shop.raw.cents", "<- raw.orders.id"} <= {" ".join(line.split()[:2]) for line in out.splitlines()}
    code, out, _ = run("check", tmp_path, "-d", "postgres", "--ignore", "template")
    assert (code, "[" in out) == (0, False)


def test_a_folder_with_settings_alone_has_no_sql(tmp_path: Path, run: Run) -> None:
    (tmp_path / "config.yaml").write_text("retries: 3\n", encoding="utf-8")
    code, _, err = run("analyze", tmp_path)
    assert (code, f"there is no SQL below {tmp_path}" in err) == (2, True)


def test_commands_for_scripts_read_a_dbt_project_as_a_whole(tmp_path: Path, run: Run) -> None:
    files = {
        "dbt_project.yml": "name: shop\n",
        "seeds/raw.csv": "id,cents\n1,2\n",
        "macros/m.sql": "{% macro euros(c) %}{{ c }} / 100{% endmacro %}",
        "models/stg.sql": "with s as (select * from {{ ref('raw') }})\nselect id, {{ euros('cents') }} as euros from s",
        "models/a_mart.sql": "select *,\n  nobody as n\nfrom {{ ref('stg') }}",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    code, out, err = run("analyze", str(tmp_path), "-d", "postgres")
    assert "shop.a_mart.euros" in out
    assert "<- shop.stg.euros" in out
    assert "<- shop.raw.cents" in out
    assert code == 1
    assert "a_mart.sql:2:3: warning[unresolved-column] no table in FROM has a column nobody" in err
    assert "unknown-star" not in err
    code, out, _ = run("check", str(tmp_path), "-d", "postgres", "--ignore", "template")
    assert code == 1
    assert [line.partition("models/")[2] for line in out.splitlines() if "[" in line] == [
        "a_mart.sql:2:3: warning[unresolved-column] no table in FROM has a column nobody"
    ]
    code, out, _ = run("export", str(tmp_path), "--format", "csv")
    assert ",euros," in out
