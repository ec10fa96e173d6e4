"""Schema files beside scripts: told by their shape, with nested records as struct types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import headwater
from command import Run, write
from headwater.catalog.schema_file import catalog_beside, catalog_of_files, read_schema, schema_of
from headwater.sql.dialect import dialect

BIGQUERY: list[dict[str, Any]] = [
    {"name": "id", "type": "INTEGER", "mode": "REQUIRED", "description": "key"},
    {
        "name": "who",
        "type": "RECORD",
        "fields": [{"name": "city", "type": "STRING"}, {"name": "zip", "type": "STRING"}],
    },
    {"name": "items", "type": "RECORD", "mode": "REPEATED", "fields": [{"name": "sku", "type": "STRING"}]},
    {"name": "tags", "type": "STRING", "mode": "REPEATED"},
]
COLUMNS = {
    "id": {"type": "INTEGER", "comment": "key"},
    "who": "STRUCT<city STRING, zip STRING>",
    "items": "ARRAY<STRUCT<sku STRING>>",
    "tags": "ARRAY<STRING>",
}


def test_bigquery_has_a_list_of_fields() -> None:
    assert schema_of(BIGQUERY) == ((), COLUMNS)
    assert schema_of({"fields": BIGQUERY}) == ((), COLUMNS)


def test_what_bq_show_prints_names_its_table() -> None:
    shown = {"tableReference": {"projectId": "p", "datasetId": "d", "tableId": "t"}, "schema": {"fields": BIGQUERY}}
    assert schema_of(shown) == (("p", "d", "t"), COLUMNS)


def test_avro_names_its_record() -> None:
    record = {
        "type": "record",
        "name": "Order",
        "namespace": "shop",
        "fields": [
            {"name": "id", "type": "long"},
            {"name": "note", "type": ["null", "string"]},
            {"name": "day", "type": {"type": "int", "logicalType": "date"}},
            {"name": "who", "type": {"type": "record", "name": "W", "fields": [{"name": "city", "type": "string"}]}},
            {"name": "items", "type": {"type": "array", "items": "double"}},
            {"name": "more", "type": {"type": "map", "values": "string"}},
            {"name": "either", "type": ["string", "long"]},
        ],
    }
    assert schema_of(record) == (
        ("shop", "Order"),
        {
            "id": "BIGINT",
            "note": "STRING",
            "day": "DATE",
            "who": "STRUCT<city: STRING>",
            "items": "ARRAY<DOUBLE>",
            "more": "MAP<STRING, STRING>",
            "either": "",
        },
    )


def test_json_schema_has_properties() -> None:
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "orders",
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "at": {"type": "string", "format": "date-time"},
            "who": {"$ref": "#/$defs/person"},
            "tags": {"type": ["array", "null"], "items": {"type": "string"}},
            "far": {"$ref": "https://example.com/other.json"},
        },
        "$defs": {"person": {"type": "object", "properties": {"city": {"type": "string"}}}},
    }
    assert schema_of(document) == (
        ("orders",),
        {"id": "BIGINT", "at": "TIMESTAMP", "who": "STRUCT<city: STRING>", "tags": "ARRAY<STRING>", "far": ""},
    )


@pytest.mark.parametrize("other", [{}, [], [1], {"a": {"b": "int"}}, {"fields": []}, {"name": "x"}, "text", None])
def test_what_has_another_shape_is_none(other: object) -> None:
    assert schema_of(other) is None


def test_yaml_is_read(tmp_path: Path) -> None:
    file = tmp_path / "schema.yaml"
    file.write_text("fields:\n- {name: a, type: STRING, mode: NULLABLE}\n- {name: b, type: INT64}\n")
    assert read_schema(file) == ((), {"a": "STRING", "b": "INT64"})
    file.write_text("a: [")
    assert read_schema(file) is None


def test_a_schema_without_a_table_says_nothing_alone(tmp_path: Path) -> None:
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(BIGQUERY))
    assert list(catalog_of_files([file]).as_given()) == []
    assert list(catalog_beside(file, dialect("bigquery")).as_given()) == []
    assert [name for _, name, _ in catalog_of_files([], [("d.t", file)]).as_given()] == ["d.t"]


def test_nested_fields_are_followed(tmp_path: Path) -> None:
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(BIGQUERY))
    known = catalog_of_files([], [("d.t", file)])
    made = headwater.analyze("INSERT INTO o SELECT who.*, i.sku FROM d.t, UNNEST(items) AS i", "bigquery", known)
    found = {(e.target.column, f"{e.source.table}.{e.source.column}") for e in made.column_edges(rows="none")}
    assert found == {("city", "d.t.who.city"), ("zip", "d.t.who.zip"), ("sku", "d.t.items.sku")}


def test_files_that_name_their_table_are_found_in_folders(folder: Path, run: Run) -> None:
    record = {"type": "record", "name": "orders", "namespace": "shop", "fields": [{"name": "id", "type": "long"}]}
    write("etl/schemas/orders.avsc", json.dumps(record))
    write("etl/q.sql", "INSERT INTO o SELECT * FROM shop.orders")
    assert "o.id = *" in run("analyze", "etl", "--no-config", "--rows", "none").out


def test_a_schema_json_of_bigquery_beside_a_script_is_no_error(folder: Path, run: Run) -> None:
    write("q/schema.json", json.dumps(BIGQUERY))
    write("q/query.sql", "SELECT a FROM t")
    assert run("analyze", "q/query.sql", "--no-config", "-d", "bigquery").code == 0
