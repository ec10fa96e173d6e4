"""`auto`: the dialect is guessed by words that few dialects have, and by what each reads."""

from __future__ import annotations

import pytest

import headwater
from case_file import all_cases
from command import Run, write
from headwater.sql.dialect import dialect, dialect_names
from headwater.sql.dialect_marks import MARKS
from headwater.sql.guess import guess


@pytest.mark.parametrize(
    ("sql", "meant"),
    [
        ("SELECT a FROM t", "ansi"),
        ("SELECT TOP 3 [a b] FROM [dbo].[t]\nGO\n", "tsql"),
        ("SELECT v:a.b::int FROM t, LATERAL FLATTEN(input => t.x)", "snowflake"),
        ("SELECT SAFE_CAST(a AS INT64) FROM `p.d.t`", "bigquery"),
        ("SELECT NVL(a, 0) FROM t WHERE b = SYSDATE AND ROWNUM < 3", "oracle"),
        ("CREATE TABLE t (a INT) ENGINE = MergeTree ORDER BY a", "clickhouse"),
        ("SELECT a FROM t LATERAL VIEW explode(x) e AS y DISTRIBUTE BY a", "spark"),
        ("CREATE TABLE t (a INT) DISTKEY (a) SORTKEY (a)", "redshift"),
        ("CREATE TABLE k (ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'kafka')", "flink"),
        ("CREATE TABLE t (a INT) DUPLICATE KEY (a) DISTRIBUTED BY HASH(a) BUCKETS 3 PROPERTIES ('x' = 'y')", "doris"),
    ],
)
def test_a_few_words_tell(sql: str, meant: str) -> None:
    assert guess([sql]).dialect == meant


def test_what_a_comment_says_does_not_count() -> None:
    assert guess(["SELECT a FROM t -- LATERAL FLATTEN, VARIANT"]).dialect == "ansi"


def test_a_dialect_that_reads_less_loses() -> None:
    found = guess(["SELECT TOP 3 a FROM t; SELECT iff(a, b, c) FROM [dbo].[t u]"])
    assert (found.dialect, found.read, found.tried) == ("tsql", 2, 2)


@pytest.mark.slow
def test_the_cases_of_each_dialect_are_guessed_right_or_as_its_kin() -> None:
    wrong = {}
    for name in dialect_names():
        texts = [case.sql for case in all_cases() if case.blocks["sql"].attributes["dialect"] == name]
        found = guess(texts).dialect if len(texts) > 50 else name
        if kin(found) != kin(name) and name not in dialect(found).name:
            wrong[name] = found
    assert wrong == {}


def kin(name: str) -> str:
    """The dialects that share nearly all of their words are one."""
    alike = {"databricks": "spark", "presto": "trino", "athena": "trino"}
    return alike.get(dialect(name).family, dialect(name).family)


def test_marks_name_dialects() -> None:
    assert {name for names in MARKS for name in names.split()} <= set(dialect_names())


def test_the_library_says_what_it_took() -> None:
    lineage = headwater.analyze("SELECT TOP 3 [a] FROM [dbo].[t]", "auto")
    assert [d.code.value for d in lineage.diagnostics] == ["guessed-dialect"]
    assert lineage.statements[0].dialect == "tsql"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", ["analyze", "check"])
def test_the_command_says_what_it_took(run: Run, command: str) -> None:
    write("a.sql", "SELECT TOP 3 [a] FROM [dbo].[t]")
    err = run(command, "a.sql", "--dialect", "auto").err
    assert "--dialect auto: read as tsql, which has TOP 3, [dbo].[, and reads 1 of 1 statements" in err


@pytest.mark.usefixtures("folder")
def test_a_dialect_is_suggested_where_the_default_does_not_fit(run: Run) -> None:
    sql = "SELECT TOP 3 [a b] FROM [dbo].[t]\nGO\nSELECT [c d] FROM [dbo].[u]\nGO\n"
    write("a.sql", sql)
    hint = "hint: the scripts look like tsql (GO, TOP 3, [dbo].[; it reads 2 of 2 statements that were tried)"
    done = run("analyze", "a.sql")
    assert hint in done.err
    assert "hint: the scripts" not in run("analyze", "a.sql", "--dialect", "spark").err
    assert "hint: the scripts" not in run("analyze", "a.sql", "--quiet").err
    write("b.sql", "SELEC a FROM t")
    assert "hint: the scripts" not in run("analyze", "b.sql").err
