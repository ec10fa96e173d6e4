"""A declared key is no data flow, and no format shows it as such."""

from __future__ import annotations

import io
import re

import pytest

import headwater
from export_samples import feed_of
from headwater.export import MODULES, format_named
from headwater.export.csv_format import to_csv
from headwater.export.feed import Level
from headwater.export.format import Choices, Output

SQL = """CREATE TABLE parent (k int PRIMARY KEY);
CREATE TABLE child (a int REFERENCES parent (k), b int);
INSERT INTO child SELECT x, y FROM s;
"""
UNDIRECTED = frozenset({"rdbms", "delta", "iceberg"})
"""Formats that are written elsewhere than to a stream; they have the clause as a column of its own."""
LEFT_OUT = {"sqlflow-csv", "openlineage", "atlas"}
"""Formats that have no place for a key, and say that they leave it out."""
TOLD = {
    "json": '"foreignKey"',
    "csv": "parent,k,FOREIGN KEY,a,child",
    "sqlflow-xml": 'clauseType="foreignKey"',
    "sqlflow-json": '"clauseType": "foreignKey"',
    "edges": "parent.k,child.a,fdd,,foreignKey",
    "graphml": '<data key="edge_clause">foreignKey</data>',
    "dot": 'class="foreignKey"',
    "svg": 'class="edge foreignKey"',
    "mermaid": '-.->|"foreign key"|',
    "html": '"foreignKey",[["","foreignKey"',
}
"""What each format says of the key."""


def written(name: str, level: Level) -> tuple[bytes, list[str]]:
    stream = io.BytesIO()
    output = Output(stream)
    write = format_named(name).write
    assert write
    write(feed_of(SQL, "postgres", level), output, Choices())
    return stream.getvalue(), list(output.left_out())


def test_every_format_is_looked_at() -> None:
    assert {*TOLD, *LEFT_OUT, *UNDIRECTED, "png"} == set(MODULES)


@pytest.mark.parametrize("name", TOLD)
def test_formats_tell_keys_from_data_flow(name: str) -> None:
    text, _ = written(name, "column")
    assert text.decode().count(TOLD[name]) == 1


@pytest.mark.parametrize("name", sorted(LEFT_OUT))
def test_formats_without_a_place_for_keys_say_so(name: str) -> None:
    text, left_out = written(name, "column")
    assert any("foreign keys" in words for words in left_out)
    assert "parent" not in re.sub(r"CREATE TABLE[^\"]*", "", text.decode()) or name != "sqlflow-csv"


@pytest.mark.parametrize("name", sorted({*TOLD, *LEFT_OUT} - {"csv"}))
def test_the_table_level_has_no_keys(name: str) -> None:
    if "table" not in format_named(name).levels:
        return
    text, _ = written(name, "table")
    assert "foreignKey" not in text.decode().replace(_page_only(name), "")


def _page_only(name: str) -> str:
    """What the HTML page's own script and style say of keys."""
    return "foreignKey" if name == "html" else "\0"


def test_what_analyze_prints_tells_them_too() -> None:
    lineage = headwater.analyze(SQL, dialect="postgres")
    assert "parent,k,FOREIGN KEY,a,child" in to_csv(lineage)
    assert [edge.clause for edge in lineage.column_edges() if edge.source.table == "parent"] == ["foreignKey"]
    assert [(str(e.source), str(e.target)) for e in lineage.table_edges()] == [("s", "child")]
