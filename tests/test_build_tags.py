"""Tags that a build is told of: projects, schema files; in the store, along the data, up to a dashboard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from command import Run
from headwater.catalog.source import read_catalog
from headwater.graph import open_graph
from headwater.pipeline.corpus import Corpus, build
from headwater.sql.dialect import dialect
from headwater.store import Snapshot, Store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

VISIVO = """\
name: shop
sources: [{name: warehouse, type: duckdb, database: shop.duckdb}]
models:
  - name: people
    source: ${ref(warehouse)}
    sql: SELECT email, md5(email) AS email_key, age, region FROM crm.people
    metrics:
      - {name: number, expression: COUNT(email)}
      - {name: last_mail, expression: MAX(email)}
    dimensions:
      - {name: domain, expression: "split_part(email, '@', 2)"}
      - {name: is_gmail, expression: "CASE WHEN email LIKE '%gmail.com' THEN 1 ELSE 0 END"}
insights:
  - name: contacts
    props: {type: bar, x: "?{${ref(people).domain}}", y: "?{${ref(people).number}}"}
  - name: safe
    props: {type: bar, x: "?{${ref(people).is_gmail}}", y: "?{${ref(people).number}}"}
charts:
  - {name: mails, insights: ["${ref(contacts)}"]}
  - {name: shares, insights: ["${ref(safe)}"]}
dashboards:
  - name: main
    tags: [board]
    rows:
      - items:
          - {chart: "${ref(mails)}"}
          - {chart: "${ref(shares)}"}
"""
LOAD = """\
CREATE TEMPORARY VIEW adults AS SELECT p.email, p.age, p.region FROM raw.people p JOIN raw.blocked b ON p.email = b.email;
INSERT INTO crm.people SELECT email, age, region FROM adults WHERE email IS NOT NULL;
"""
SCHEMA = {
    "raw.people": {
        "email": {"type": "string", "comment": "how to reach them #pii"},
        "age": {"type": "int"},
        "region": {"type": "string", "tags": ["geo"]},
    },
    "raw.blocked": {"email": "string"},
    "crm.people": {"email": "string", "age": "int", "region": "string"},
    "nobody.reads": {"secret": {"type": "string", "tags": ["pii"]}},
}


@pytest.fixture
def shop(folder: Path) -> Path:
    """A project, a script and a schema."""
    (folder / "shop").mkdir()
    (folder / "shop" / "project.visivo.yml").write_text(VISIVO)
    (folder / "sql").mkdir()
    (folder / "sql" / "load.sql").write_text(LOAD)
    (folder / "schema.json").write_text(json.dumps(SCHEMA))
    return folder


def built(*paths: str) -> Snapshot:
    """A build of these paths, with the schema that lies here."""
    known = read_catalog(Path("schema.json"), dialect("spark"))
    return build(Corpus(paths), "lineage", catalog=known).snapshot


def rows(snapshot: Snapshot) -> list[tuple[str, str | None, str, str, str]]:
    """The table `tags`, with names instead of ids."""
    entities = {row["entity_id"]: row["name"] for row in snapshot.table("entities").to_pylist()}
    columns = {row["column_id"]: row["name"] for row in snapshot.table("columns").to_pylist()}
    found = snapshot.table("tags").to_pylist()
    return [
        (
            entities[row["entity_id"]],
            row["column_id"] and columns[row["column_id"]],
            row["tag"],
            row["origin"],
            row["place"],
        )
        for row in found
    ]


def test_tags_of_a_schema_reach_the_dashboard(spark: SparkSession, run: Run, shop: Path) -> None:
    snapshot = built("shop", "sql")
    assert sorted(rows(snapshot), key=str) == [
        ("nobody.reads", "secret", "pii", "schema", ""),
        ("raw.people", "email", "pii", "schema", ""),
        ("raw.people", "region", "geo", "schema", ""),
        ("shop.dashboard.main", None, "board", "visivo", "shop/project.visivo.yml:22"),
    ]
    carried = {str(each.column): each.tag for each in open_graph("lineage").tags().columns(tags=["pii"])}
    assert carried == {
        "nobody.reads.secret": "pii",
        "raw.people.email": "pii",
        "adults.email": "pii",
        "crm.people.email": "pii",
        "shop.model.people.email": "pii",
        "shop.model.people.email_key": "pii:masked",
        "shop.metric.people.number.value": "pii:masked",
        "shop.metric.people.last_mail.value": "pii",
        "shop.dimension.people.domain.value": "pii",
        "shop.insight.contacts.x": "pii",
        "shop.insight.contacts.y": "pii:masked",
        "shop.insight.safe.y": "pii:masked",
        "shop.chart.mails.contacts": "pii",
        "shop.chart.shares.safe": "pii:masked",
        "shop.dashboard.main.mails": "pii",
        "shop.dashboard.main.shares": "pii:masked",
    }
    (shop / "policy.yml").write_text("forbid: {tag: pii, reaches: [dashboard]}\n")
    code, out, err = run("tags", "--policy", "policy.yml")
    assert (code, err) == (1, "1 finding\n")
    assert out.startswith(
        "shop/project.visivo.yml:22: error[tag-policy] pii of raw.people.email reaches dashboard shop.dashboard.main.mails\n"
    )
    assert [line.split()[1] for line in out.splitlines() if "->" in line] == [
        "adults.email",
        "crm.people.email",
        "shop.model.people.email",
        "shop.dimension.people.domain.value",
        "shop.insight.contacts.x",
        "shop.chart.mails.contacts",
        "shop.dashboard.main.mails",
    ]
    assert "sql/load.sql:2" in out


def test_a_build_upon_another_tells_tags_anew(spark: SparkSession, shop: Path) -> None:
    first = built("sql")
    same = built("sql")
    assert same.digest() == first.digest()
    assert first.files("tags") == same.files("tags")
    said = {**SCHEMA, "raw.blocked": {"email": {"type": "string", "tags": "pii, blocked"}}}
    del said["nobody.reads"]
    (shop / "schema.json").write_text(json.dumps(said))
    assert {row[:3] for row in rows(built("sql"))} == {
        ("raw.people", "email", "pii"),
        ("raw.people", "region", "geo"),
        ("raw.blocked", "email", "pii"),
        ("raw.blocked", "email", "blocked"),
    }


def test_a_schema_may_name_a_table_with_fewer_or_more_parts(spark: SparkSession, folder: Path) -> None:
    (folder / "sql").mkdir()
    (folder / "sql" / "a.sql").write_text("INSERT INTO s.out SELECT a.X, b.y FROM db.t a JOIN u b ON a.x = b.y")
    (folder / "schema.json").write_text(
        json.dumps(
            {"t": {"x": {"type": "int", "tags": ["one"]}}, "prod.u": [{"name": "Y", "comment": "@tag(two, three)"}]}
        )
    )
    assert {row[:3] for row in rows(built("sql"))} == {
        ("t", "x", "one"),
        ("prod.u", "y", "two"),
        ("prod.u", "y", "three"),
        ("db.t", "x", "one"),
        ("u", "y", "two"),
        ("u", "y", "three"),
    }


def test_comments_in_the_corpus(spark: SparkSession, folder: Path) -> None:
    """Comments of statements that are built; what merely looks like a mark, and marks outside of comments, are none."""
    (folder / "sql").mkdir()
    text = """\
CREATE TABLE raw.people (
  email STRING COMMENT 'how to reach them #pii, see ticket #42',
  name STRING COMMENT 'their name @tag(pii, gdpr)',
  age INT COMMENT 'in years'
) COMMENT 'everybody #internal';
COMMENT ON COLUMN raw.orders.total IS 'in cents #money';
INSERT INTO out SELECT p.email, o.total, '#nothing' AS x FROM raw.people p JOIN raw.orders o ON p.age = o.total;
"""
    (folder / "sql" / "a.sql").write_text(text)
    snapshot = build(Corpus(["sql"]), "lineage").snapshot
    assert sorted(rows(snapshot), key=str) == [
        ("raw.orders", "total", "money", "comment", "sql/a.sql:6"),
        ("raw.people", "email", "pii", "comment", "sql/a.sql:1"),
        ("raw.people", "name", "gdpr", "comment", "sql/a.sql:1"),
        ("raw.people", "name", "pii", "comment", "sql/a.sql:1"),
        ("raw.people", None, "internal", "comment", "sql/a.sql:1"),
    ]


DBT_MODEL = 'SELECT email, upper(name) AS name FROM "dev"."raw"."people"'


def manifest() -> dict[str, object]:
    """What dbt has compiled: a source whose column is tagged, a model on it, an exposure."""
    source = {
        "unique_id": "source.shop.raw.people",
        "resource_type": "source",
        "name": "people",
        "relation_name": '"dev"."raw"."people"',
        "original_file_path": "models/sources.yml",
        "columns": {
            "email": {"name": "email", "data_type": "varchar", "tags": ["gdpr"], "meta": {"pii": True}},
            "name": {"name": "name", "data_type": "varchar", "config": {"meta": {"level": "strict"}}},
        },
    }
    model = {
        "unique_id": "model.shop.people",
        "resource_type": "model",
        "name": "people",
        "relation_name": '"dev"."main"."people"',
        "original_file_path": "models/people.sql",
        "compiled_code": DBT_MODEL,
        "tags": ["nightly"],
        "config": {"materialized": "table"},
        "columns": {},
    }
    exposure = {
        "unique_id": "exposure.shop.board",
        "resource_type": "exposure",
        "name": "board",
        "type": "dashboard",
        "original_file_path": "models/exposures.yml",
        "depends_on": {"nodes": ["model.shop.people"]},
        "tags": ["weekly"],
    }
    return {
        "metadata": {
            "dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json",
            "project_name": "shop",
            "adapter_type": "duckdb",
        },
        "nodes": {"model.shop.people": model},
        "sources": {"source.shop.raw.people": source},
        "exposures": {"exposure.shop.board": exposure},
        "metrics": {},
        "semantic_models": {},
        "saved_queries": {},
    }


def test_tags_and_meta_of_dbt_reach_an_exposure(spark: SparkSession, run: Run, folder: Path) -> None:
    target = folder / "dbt" / "target"
    target.mkdir(parents=True)
    (folder / "dbt" / "dbt_project.yml").write_text("name: shop\nversion: '1.0'\n")
    (target / "manifest.json").write_text(json.dumps(manifest()))
    build(Corpus(["dbt"]), "lineage")
    found = {row[:4] for row in rows(Store("lineage").snapshot())}
    assert found == {
        ("dev.raw.people", "email", "gdpr", "dbt"),
        ("dev.raw.people", "email", "pii", "dbt"),
        ("dev.raw.people", "name", "level=strict", "dbt"),
        ("dev.main.people", None, "nightly", "dbt"),
        ("shop.exposure.board", None, "weekly", "dbt"),
    }
    (folder / "policy.yml").write_text("forbid: {tag: pii, reaches: [exposure]}\n")
    code, out, _ = run("tags", "--policy", "policy.yml", "--format", "json")
    (violation,) = json.loads(out)["findings"]
    assert code == 1
    assert violation["path"][0]["target"] == "dev.main.people.email"
    assert violation["kind"] == "exposure"
