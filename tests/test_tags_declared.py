"""Tags in comments, lists, schema files and SQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.catalog.source import read_catalog
from headwater.sql.dialect import dialect
from headwater.tags.declared import declared_tags
from headwater.tags.schema import schema_tags
from headwater.tags.script import script_tags


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("#pii", ["pii"]),
        ("the address (#pii, #gdpr)", ["pii", "gdpr"]),
        ("@tag(pii)", ["pii"]),
        ("before @TAGS(pii, level=strict) and behind #pii", ["pii", "level=strict"]),
        ("#pii:masked.", ["pii:masked"]),
        ("ticket #42, C# code, a#b, https://host/page#part", []),
        ("@tag()", []),
        ("", []),
    ],
)
def test_comments(comment: str, expected: list[str]) -> None:
    assert [each.tag for each in declared_tags(("t",), "c", comment=comment)] == expected


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (["pii", " gdpr ", "", 3], ["pii", "gdpr"]),
        ("pii, gdpr", ["pii", "gdpr"]),
        (None, []),
        ({"pii": True}, []),
    ],
)
def test_lists(tags: object, expected: list[str]) -> None:
    assert [each.tag for each in declared_tags(("t",), "c", tags)] == expected


SCHEMAS = {
    "a.json": '{"raw": {"t": {"email": {"type": "string", "tags": ["pii"]}, "n": {"type": "int", "description": "#count"}}}}',
    "b.json": '{"raw.t": [{"name": "email", "tags": "pii"}, "other", {"name": "n", "comment": "#count"}]}',
    "c.csv": "table,column,type,tags,comment\nraw.t,email,string,pii,\nraw.t,n,int,,a #count\nraw.t,x,int,,\n",
    "d.sql": "CREATE TABLE raw.t (email STRING COMMENT 'x #pii', n INT, x INT);\nCOMMENT ON COLUMN raw.t.n IS 'a #count';",
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_files(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(SCHEMAS[name])
    spoken = dialect("spark")
    catalog = read_catalog(tmp_path / name, spoken)
    assert set(schema_tags(catalog, spoken)) == {(("raw", "t"), "email", "pii"), (("raw", "t"), "n", "count")}
    ((table, columns),) = catalog.tables(spoken.spelled_table, spoken.spelled_column)
    assert (table, columns["n"].lower()) == (("raw", "t"), "" if name == "b.json" else "int")


@pytest.mark.parametrize(
    ("spoken", "sql", "expected"),
    [
        ("bigquery", "CREATE TABLE d.t (a INT64 OPTIONS (description = 'x #pii'))", (("d", "t"), "a", "pii")),
        ("snowflake", "create table t (a int comment 'x #pii')", (("T",), "A", "pii")),
        ("oracle", "COMMENT ON COLUMN hr.emp.ssn IS '@tag(pii)'", (("HR", "EMP"), "SSN", "pii")),
        ("postgres", "COMMENT ON TABLE hr.emp IS '#pii'", (("hr", "emp"), None, "pii")),
        ("mysql", "CREATE TABLE t (a int COMMENT 'it''s #pii')", (("t",), "a", "pii")),
    ],
)
def test_comments_in_sql(spoken: str, sql: str, expected: tuple[tuple[str, ...], str | None, str]) -> None:
    assert list(script_tags(sql, dialect(spoken))) == [expected]


@pytest.mark.parametrize("sql", ["SELECT '#pii' AS comment", "COMMENT ON COLUMN a IS '#pii'", "SELEC comment #pii"])
def test_no_comments(sql: str) -> None:
    assert list(script_tags(sql, dialect("postgres"))) == []
