"""What a statement may name and define, from its tokens: never less than it does."""

from __future__ import annotations

import pytest

from headwater.model.entity import TableName
from headwater.sql.dialect import dialect
from headwater.sql.mentions import Mentions, mentions
from headwater.sql.tokens import tokenise


def of(sql: str, spoken: str = "spark", default: TableName | None = None) -> Mentions:
    return mentions(tokenise(sql, dialect(spoken)), dialect(spoken), default)


@pytest.mark.parametrize(
    ("sql", "spoken", "default", "named"),
    [
        ("SELECT a FROM t", "spark", ("db",), ("db", "t")),
        ("SELECT t.a FROM S.T JOIN u", "spark", None, ("s", "t")),
        ("SELECT a FROM t, date", "spark", None, ("t",)),
        ("SELECT a FROM date", "spark", None, ("date",)),
        ('SELECT a FROM "T"."u"', "snowflake", None, ("T", "u")),
        ("SELECT a FROM t", "snowflake", ("DB", "S"), ("DB", "S", "T")),
        ("SELECT a FROM `p.d.t`", "bigquery", None, ("p", "d", "t")),
        ("SELECT a FROM #t", "tsql", ("db", "dbo"), ("#t",)),
        ("MERGE INTO s.t USING u ON t.a = u.a WHEN MATCHED THEN DELETE", "spark", None, ("s", "t")),
    ],
)
def test_what_is_read_is_named(sql: str, spoken: str, default: TableName | None, named: TableName) -> None:
    assert named in of(sql, spoken, default).named


@pytest.mark.parametrize(
    ("sql", "defined"),
    [
        ("CREATE TABLE d.t (a int)", {("d", "t")}),
        ("CREATE OR REPLACE VIEW v AS SELECT * FROM t", {("db", "v")}),
        ("CREATE TABLE IF NOT EXISTS t AS SELECT 1", {("db", "t")}),
        ("ALTER TABLE d.t RENAME TO d.u", {("d", "t"), ("d", "u")}),
        ("INSERT INTO t SELECT * FROM u", set()),
        ("SELECT a INTO n FROM t", {("db", "n")}),
        ("CREATE TEMP VIEW v AS SELECT 1", {("db", "v"), ("v",)}),
    ],
)
def test_what_is_created_is_defined(sql: str, defined: set[TableName]) -> None:
    assert set(of(sql, default=("db",)).defined) == defined


@pytest.mark.parametrize(
    ("sql", "temporary"),
    [
        ("CREATE TABLE #t (a int)", {("#t",)}),
        ("SELECT a INTO #t FROM u", {("#t",)}),
        ("INSERT INTO ##t SELECT a FROM dbo.u", {("##t",)}),
        ("DECLARE @t TABLE (a int)", {("@t",)}),
        ("SELECT a FROM @t", {("@t",)}),
        ("SELECT a FROM dbo.t", set()),
    ],
)
def test_marks_make_temporary_tables(sql: str, temporary: set[TableName]) -> None:
    assert set(of(sql, "tsql").temporary) == temporary


@pytest.mark.parametrize(
    ("sql", "unqualified"),
    [
        ("SELECT a, b FROM d.t x JOIN d.u AS y ON x.a = y.b", False),
        ("SELECT a FROM d.t, u", True),
        ("SELECT a FROM t", True),
        ("CREATE TABLE d.t (a int, b string) USING parquet", False),
        ("CREATE TABLE t (a int)", True),
        ("CREATE TABLE d.t (a int REFERENCES u (b))", True),
        ("WITH c AS (SELECT a FROM d.t) SELECT * FROM c", False),
        ("WITH c AS (SELECT a FROM t) SELECT * FROM c", True),
        ("INSERT INTO d.t SELECT a FROM (SELECT a FROM u) s", True),
        ("MERGE INTO d.t USING s ON d.t.a = s.a WHEN MATCHED THEN DELETE", True),
        ("TRUNCATE TABLE d.t", True),
    ],
)
def test_whether_the_default_schema_may_matter(sql: str, unqualified: bool) -> None:
    assert of(sql).unqualified is unqualified
