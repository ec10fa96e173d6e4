"""Statements that are read by themselves: a script's cuts are the same as when all of it is tokenised at once."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import headwater.order.cut as cutting
import headwater.order.statement_facts as reading
from case_file import all_cases
from headwater.order.cut import CutScript, cut
from headwater.order.statement_facts import Alone, read_alone
from headwater.sql.dialect import dialect
from headwater.sql.source import source
from headwater.sql.stretch import stretches

pytestmark = pytest.mark.slow


def at_once(sql: str, dialects: list[str], default: str = "") -> CutScript:
    """A script's cuts when nothing of it is read by itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cutting, "read_alone", lambda *_: Alone([], 0))
        return cut(sql, dialects, default)


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT 1; SELECT 2", ["SELECT 1;", "SELECT 2"]),
        ("\n-- one; two\nSELECT 1 /* ; */ -- ;\n;;\n", ["SELECT 1 /* ; */ -- ;\n;", ";"]),
        (
            "SELECT ';', 'it''s;', \"a;b\", `c;d`, 'e\\';'; SELECT 1",
            ["SELECT ';', 'it''s;', \"a;b\", `c;d`, 'e\\';';", "SELECT 1"],
        ),
        ("SELECT 1 / 2 - 3; SELECT 'a; SELECT 2;", ["SELECT 1 / 2 - 3;", "SELECT 'a; SELECT 2;"]),
        ("", []),
        ("-- nothing", ["-- nothing"]),
    ],
)
def test_a_script_is_taken_apart_at_its_semicolons(sql: str, found: list[str]) -> None:
    assert [sql[start:end] for start, end in stretches(sql)] == found


@pytest.mark.parametrize("each", ["'\\", "\"\\'", "`'", "/*", "--", "/-", "';", "$$"])
def test_taking_apart_takes_linear_time(each: str) -> None:
    assert [*stretches(each * 100_000)]


def alone(sql: str, spoken: str) -> Alone:
    return read_alone(source(sql, dialect(spoken)), dialect(spoken), None)


@pytest.mark.parametrize(
    ("sql", "spoken", "count"),
    [
        ("SELECT 1; SELECT 2", "spark", 2),
        ("SELECT 1; BEGIN SELECT 2; END; SELECT 3", "spark", 1),
        ("SELECT 1; SELECT 'a; SELECT 2", "spark", 1),
        ("SELECT 1; SELECT $$ a; b $$; SELECT 2", "postgres", 1),
        ("SELECT 1; SELECT '\\'; SELECT 2; SELECT ''; SELECT 3", "postgres", 5),
        ("SELECT 1; SELECT 2 # ;\n; SELECT 3", "mysql", 1),
        ("SELECT 1; CREATE USER u IDENTIFIED BY 'x'", "spark", 0),
        ("SELECT 1; CREATE TASK k AS DECLARE x int; BEGIN SELECT 2; END; SELECT 3", "snowflake", 1),
        ("SELECT 1; SELECT 2--", "mysql", 1),
        ("SELECT 1--;\n# ;\n; SELECT 2", "mysql", 0),
        ("SELECT 1; --SELECT 2\n; SELECT 3", "mysql", 3),
        ("SELECT 1; SELECT ${a}", "spark", 0),
        ("SELECT 1; SELECT 2", "tsql", 0),
        ("SELECT 1; SELECT 2", "oracle", 0),
    ],
)
def test_what_may_reach_over_a_semicolon_is_not_read_by_itself(sql: str, spoken: str, count: int) -> None:
    assert len(alone(sql, spoken).said) == count
    assert cut(sql, [spoken], "") == at_once(sql, [spoken])


def test_the_default_schema_and_what_is_temporary_go_on_from_one_to_the_next() -> None:
    sql = "USE a; SELECT x FROM t; CREATE TEMP VIEW v AS SELECT 1; USE b; SELECT x FROM t; BEGIN SELECT x FROM v; END"
    made = cut(sql, ["spark"], "z")
    assert [each.default_schema for each in made.cuts] == [("z",), ("a",), ("a",), ("a",), ("b",), ("b",)]
    assert [each.scoped for each in made.cuts] == [False, False, True, False, False, True]
    assert made == at_once(sql, ["spark"], "z")


def test_what_was_met_before_is_not_tokenised_again(monkeypatch: pytest.MonkeyPatch) -> None:
    once = "SELECT a FROM met_before WHERE b = 'to the letter';"
    (first,) = cut(once, ["spark"], "d").cuts
    monkeypatch.setattr(reading, "stretch_pieces", None)
    again = cut(f"-- comment\n\n{once}\n{once}\n", ["spark"], "d").cuts
    assert [each.position for each in again] == [(3, 1), (4, 1)]
    assert {each.raw for each in again} == {first.raw}
    assert {each.mentions for each in again} == {first.mentions}


_JOINTS = [
    ";\n",
    " ;",
    "; -- a; b\n",
    "; /* ; */ ",
    ";\n\n-- 'a\n",
    ";;",
    "\n",
    ";\n# x;\n",
    "; 'a;",
    "; USE x; ",
    "; BEGIN ",
]


@pytest.mark.parametrize("part", range(4))
def test_scripts_of_all_cases_are_cut_as_if_at_once(part: int) -> None:
    chance = random.Random(part)
    by_dialect: dict[str, list[str]] = {}
    for case in all_cases():
        by_dialect.setdefault(case.blocks["sql"].attributes["dialect"].split(",")[0], []).append(case.sql)
    for spoken, texts in sorted(by_dialect.items()):
        for first, second in zip(texts[part::4], texts[part + 1 :: 4], strict=False):
            sql = f"{first}{chance.choice(_JOINTS)}{second}{chance.choice(_JOINTS)}{first}"
            assert cut(sql, [spoken], "") == at_once(sql, [spoken]), sql


_PARTS = [
    *(
        "SELECT 1",
        "SELECT a FROM t",
        "USE d",
        "CREATE TEMP VIEW t AS SELECT 1",
        "BEGIN",
        "END",
        "END IF",
        "IF a THEN",
        "CREATE",
        "TASK",
    ),
    *(
        "PROCEDURE p()",
        "AS",
        "'",
        '"',
        "`",
        "$$",
        "--",
        "/*",
        "*/",
        "#",
        "//",
        "\\",
        "\n",
        ";",
        "; ",
        ";\n",
        "'a;b'",
        "DECLARE x",
        "EXPLAIN",
    ),
    *("ORDER /* x */ BY", "\ufeff", "\u00a0", "GO", "DELIMITER //", "{", "REPLACE INTO t"),
]


@given(
    st.lists(st.sampled_from(_PARTS), max_size=16),
    st.sampled_from(["spark", "snowflake", "bigquery", "mysql", "postgres", "clickhouse", "duckdb", "teradata"]),
)
def test_any_script_is_cut_as_if_at_once(parts: list[str], spoken: str) -> None:
    sql = " ".join(parts)
    assert cut(sql, [spoken], "") == at_once(sql, [spoken])
