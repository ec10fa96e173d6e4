"""A build of several dbt projects, each for another database: their tables have one name each, whoever speaks of them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import headwater
from headwater.catalog import Catalog
from headwater.graph import Graph
from headwater.pipeline.corpus import Corpus, build

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]


class Case(NamedTuple):
    """A project for one database: what its files say, and what the database calls the table and the column."""

    adapter: str
    source: dict[str, Any]
    """The entry of the source: database, schema, quoting."""
    table: str
    column: dict[str, Any]
    """The first column, as YAML describes it."""
    sql: str
    """How a query names that column."""
    is_called: str
    column_is_called: str


ID = {"name": "Id", "data_type": "integer"}
QUOTED_ID = {"name": "Id", "data_type": "integer", "quote": True}
ALL_QUOTED = {"quoting": {"database": True, "schema": True, "identifier": True}}
CASES = {
    # Snowflake: dbt quotes nothing, and the database folds to upper case.
    "snow": Case("snowflake", {"database": "raw", "schema": "mm2"}, "server", ID, "id", "RAW.MM2.SERVER", "ID"),
    "snow_quoted": Case(
        "snowflake",
        {"database": "lake", "schema": "mm2", **ALL_QUOTED},
        "Server",
        QUOTED_ID,
        '"Id"',
        "lake.mm2.Server",
        "Id",
    ),
    # BigQuery: case counts in names of tables, not of columns.
    "big": Case("bigquery", {"database": "big-raw", "schema": "mm2"}, "Server", ID, "ID", "big-raw.mm2.Server", "id"),
    # Databricks, Redshift and DuckDB: case counts nowhere, not even in quotes.
    "brick": Case("databricks", {"database": "brick", "schema": "mm2"}, "Server", ID, "ID", "brick.mm2.server", "id"),
    "shift": Case(
        "redshift", {"database": "shift", "schema": "mm2"}, "Server", QUOTED_ID, "id", "shift.mm2.server", "id"
    ),
    "duck": Case("duckdb", {"database": "duck", "schema": "mm2"}, "Server", QUOTED_ID, '"ID"', "duck.mm2.server", "id"),
    # PostgreSQL: dbt quotes tables, and the database folds other names to lower case.
    "pg": Case("postgres", {"database": "pg", "schema": "mm2"}, "Server", ID, "ID", "pg.mm2.Server", "id"),
    "pg_quoted": Case(
        "postgres", {"database": "pg2", "schema": "mm2"}, "Server", QUOTED_ID, '"Id"', "pg2.mm2.Server", "Id"
    ),
}
MANIFEST = "snow_compiled"
SOURCES = {"COMPILED.MM2.SERVER", *(case.is_called for case in CASES.values())}
NAME = {"name": "name", "data_type": "varchar"}


def write_project(folder: Path, name: str, case: Case) -> None:
    """A project with a source whose columns all have types, and one model that reads it."""
    models = folder / "models"
    models.mkdir(parents=True)
    (folder / "dbt_project.yml").write_text(json.dumps({"name": name, "profile": name}))
    profile = {"type": case.adapter, "database": "made", "schema": name}
    (folder / "profiles.yml").write_text(json.dumps({name: {"outputs": {"dev": profile}}}))
    column = {**case.column, "tags": ["personal"]}
    table = {"name": case.table, "columns": [column, NAME]}
    source = {"name": "src", **case.source, "tables": [table]}
    (models / "sources.yml").write_text(json.dumps({"sources": [source]}))
    query = f"select {case.sql} as event_id from {{{{ source('src', '{case.table}') }}}}"
    (models / "stg.sql").write_text(query)


def write_manifest(folder: Path) -> None:
    """The same for Snowflake as dbt compiles it."""
    (folder / "models").mkdir(parents=True)
    (folder / "target").mkdir()
    (folder / "dbt_project.yml").write_text(json.dumps({"name": MANIFEST, "profile": MANIFEST}))
    model = {
        "unique_id": f"model.{MANIFEST}.stg",
        "name": "stg",
        "resource_type": "model",
        "package_name": MANIFEST,
        "original_file_path": "models/stg.sql",
        "relation_name": "made.compiled.stg",
        "compiled_code": "select id as event_id from compiled.mm2.server",
        "config": {"materialized": "table"},
    }
    source = {
        "unique_id": f"source.{MANIFEST}.src.server",
        "name": "server",
        "source_name": "src",
        "resource_type": "source",
        "relation_name": "compiled.mm2.server",
        "columns": {"id": {"name": "id", "data_type": "integer"}, "name": NAME},
    }
    content = {
        "metadata": {
            "dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json",
            "project_name": MANIFEST,
            "adapter_type": "snowflake",
        },
        "nodes": {model["unique_id"]: model},
        "sources": {source["unique_id"]: source},
    }
    (folder / "target" / "manifest.json").write_text(json.dumps(content))
    (folder / "models" / "stg.sql").write_text("select id as event_id from {{ source('src', 'server') }}")


TOLD = Catalog(
    {
        "$catalog": {"source": "snowflake://account", "dialect": "snowflake"},
        "ERP.PUBLIC.BILLS": {
            "kind": "table",
            "columns": {"ID": {"type": "NUMBER", "tags": ["told"]}, "ORDER_ID": {"type": "NUMBER"}},
            "foreign_keys": [{"columns": ["ORDER_ID"], "table": "ERP.PUBLIC.ORDERS", "referred": ["ID"]}],
        },
        "ERP.PUBLIC.ORDERS": {"kind": "table", "columns": {"ID": {"type": "NUMBER"}}},
    }
)
"""What a live catalog says of a database that is none of the corpus' dialect."""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> Iterator[Graph]:
    """All projects in one store; the dialect of the corpus is Spark's, which is that of none of them."""
    folder = tmp_path_factory.mktemp("projects")
    for name, case in CASES.items():
        write_project(folder / name, name, case)
    write_manifest(folder / MANIFEST)
    before = Path.cwd()
    os.chdir(folder)
    build(Corpus(["."]), "lineage", catalog=TOLD)
    yield headwater.open("lineage")
    os.chdir(before)


@pytest.mark.parametrize("name", CASES)
def test_impact_finds_the_reader_of_a_documented_source(graph: Graph, name: str) -> None:
    case = CASES[name]
    found = graph.impact(f"{case.is_called}.{case.column_is_called}", "drop")
    assert "event_id" in {hit.column.name.lower() for hit in found.of("breaking")}
    assert not found.safe


@pytest.mark.parametrize("name", CASES)
def test_impact_takes_a_name_as_the_project_writes_it(graph: Graph, name: str) -> None:
    case = CASES[name]
    written = ".".join((case.source["database"], case.source["schema"], case.table, case.column["name"]))
    assert [hit.column for hit in graph.impact(written, "drop").hits]


def test_impact_finds_the_reader_with_a_manifest(graph: Graph) -> None:
    found = graph.impact("compiled.mm2.server.id", "drop")
    assert "MADE.COMPILED.STG.EVENT_ID" in {str(hit.column) for hit in found.of("breaking")}


def test_no_table_stands_there_twice(graph: Graph) -> None:
    made = {
        *("MADE.SNOW.STG", "MADE.SNOW_QUOTED.STG", "MADE.COMPILED.STG", "made.big.stg", "made.brick.stg"),
        *("made.shift.stg", "made.duck.stg", "made.pg.stg", "made.pg_quoted.stg"),
    }
    told = {"ERP.PUBLIC.BILLS", "ERP.PUBLIC.ORDERS"}
    assert {str(table) for table in graph.tables()[1]} == made | SOURCES | told


def test_the_sources_are_read(graph: Graph) -> None:
    assert not SOURCES & {str(table) for table in graph.unused().tables}


def test_columns_are_those_of_the_database(graph: Graph) -> None:
    for case in CASES.values():
        columns = {column.name for column in graph.columns(case.is_called)}
        assert columns == {case.column_is_called, "NAME" if case.adapter == "snowflake" else "name"}


def test_tags_stand_at_the_column(graph: Graph) -> None:
    tagged = {str(found.column) for found in graph.tags().columns(tags=["personal"]) if found.own}
    assert tagged == {f"{case.is_called}.{case.column_is_called}" for case in CASES.values()}
    assert [str(found.column) for found in graph.tags().columns(tags=["told"])] == ["ERP.PUBLIC.BILLS.ID"]
