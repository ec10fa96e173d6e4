"""Texts that programs put together and execute: one that doubles with each step is not made, and one that is heavy is read in a worker."""

from __future__ import annotations

import time

import pytest

import headwater
from headwater.model import work
from headwater.model.diagnostic import Code
from headwater.sql.procedural import text

TIMES = 60
GROWING = {
    "tsql +": ("tsql", "DECLARE @s nvarchar(max) = 'select a from t '; ", "SET @s = @s + @s; ", "EXEC(@s);"),
    "tsql +=": ("tsql", "DECLARE @s nvarchar(max) = 'select a from t '; ", "SET @s += @s; ", "EXEC(@s);"),
    "tsql CONCAT": (
        "tsql",
        "DECLARE @s nvarchar(max) = 'select a '; ",
        "SET @s = CONCAT(@s, @s); ",
        "EXEC sp_executesql @s;",
    ),
    "tsql REPLACE": ("tsql", "DECLARE @s nvarchar(max) = 'aa'; ", "SET @s = REPLACE(@s, 'a', 'aa'); ", "EXEC(@s);"),
    "tsql FORMATMESSAGE": (
        "tsql",
        "DECLARE @s nvarchar(max) = 'aa'; ",
        "SET @s = FORMATMESSAGE('%s%s', @s, @s); ",
        "EXEC(@s);",
    ),
    "postgres ||": ("postgres", "DO $$ DECLARE s text := 'select a '; BEGIN ", "s := s || s; ", "EXECUTE s; END $$;"),
    "postgres format": (
        "postgres",
        "DO $$ DECLARE s text := 'select a '; BEGIN ",
        "s := format('%s%s', s, s); ",
        "EXECUTE s; END $$;",
    ),
    "mysql": (
        "mysql",
        "CREATE PROCEDURE p() BEGIN SET @s = 'select a '; ",
        "SET @s = CONCAT(@s, @s); ",
        "PREPARE x FROM @s; EXECUTE x; END",
    ),
    "oracle": (
        "oracle",
        "DECLARE s varchar2(100) := 'select a '; BEGIN ",
        "s := s || s; ",
        "EXECUTE IMMEDIATE s; END;",
    ),
    "snowflake": ("snowflake", "SET a = 'select a '; ", "SET a = $a || $a; ", "EXECUTE IMMEDIATE $a;"),
    "snowflake JavaScript": (
        "snowflake",
        "CREATE PROCEDURE p() RETURNS string LANGUAGE JAVASCRIPT AS $$ var s = 'select a '; ",
        "s = s + s; ",
        "snowflake.execute({sqlText: s}); $$;",
    ),
    "bigquery": ("bigquery", "DECLARE s string DEFAULT 'select a '; ", "SET s = s || s; ", "EXECUTE IMMEDIATE s;"),
}


@pytest.mark.parametrize(("dialect", "head", "step", "end"), GROWING.values(), ids=GROWING.keys())
def test_a_text_that_doubles_is_not_made(dialect: str, head: str, step: str, end: str) -> None:
    """The statement that executes it says which limit it exceeds."""
    lineage = headwater.analyze(head + step * TIMES + end, dialect)
    (problem,) = [d for d in lineage.diagnostics if d.code is Code.DYNAMIC_SQL]
    assert "is too long: 200,000 characters are the limit" in problem.message


def test_what_is_made_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """No text is longer than the limit, and all together have the characters that a script may have."""
    made: list[int] = []
    tidy = text._tidy
    monkeypatch.setattr(text, "_tidy", lambda parts: made.append(sum(len(p or "") for p in parts)) or tidy(parts))
    monkeypatch.setattr(work, "MAX_TEXTS", 1_000_000)
    monkeypatch.setattr("headwater.order.script_run.MAX_TEXTS", 1_000_000)
    doubled = "DECLARE @s nvarchar(max) = '0123456789'; " + "SET @s = @s + @s; " * 12
    copies = "".join(f"DECLARE @c{i} nvarchar(max); SET @c{i} = @s + '.'; " for i in range(200))
    headwater.analyze(doubled + copies, "tsql")
    assert max(made) == 40_961
    assert 900_000 < sum(made) <= 1_000_000


@pytest.mark.slow
def test_a_long_text_that_is_put_together_is_known() -> None:
    """600 lines are added, one by one, and a chain of 400 operators is put together at once."""
    lines = "".join(f"SET @s = @s + ', c{i}'; " for i in range(600))
    sql = f"DECLARE @s nvarchar(max) = 'INSERT INTO o SELECT a'; {lines} SET @s = @s + ' FROM t'; EXEC(@s);"
    lineage = headwater.analyze(sql, "tsql")
    assert lineage.diagnostics == []
    assert len(lineage.column_edges(rows="none")) == 601
    chain = " || ".join(f"', c{i}'" for i in range(400))
    sql = f"BEGIN EXECUTE IMMEDIATE 'INSERT INTO o SELECT a' || {chain} || ' FROM t'; END;"
    assert len(headwater.analyze(sql, "oracle").column_edges(rows="none")) == 401


def test_an_empty_text_is_known() -> None:
    assert headwater.analyze("DECLARE @s nvarchar(9) = ''; EXEC(@s);", "tsql").diagnostics == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "sql",
    [
        "EXECUTE IMMEDIATE 'SELECT {} FROM t'",
        "SELECT * FROM EXTERNAL_QUERY('c', 'SELECT {} FROM t')",
    ],
)
def test_a_heavy_text_inside_of_a_light_statement_goes_to_a_worker(sql: str) -> None:
    """Each level of `struct(` doubles the parser's time: in the user's process nothing could end it."""
    start = time.monotonic()
    nested = "struct(" * 40 + "a" + ")" * 40
    lineage = headwater.analyze(sql.format(nested) + ";\nINSERT INTO o SELECT b AS y FROM u", "bigquery", timeout=3)
    assert time.monotonic() - start < 25
    assert [d.code for d in lineage.diagnostics] == [Code.TIMEOUT]
    assert {str(edge.target) for edge in lineage.column_edges(rows="none")} == {"o.y"}
