"""Limits: no text makes `analyze` raise, or take longer than one and a half times its timeout and a second."""

from __future__ import annotations

import time

import pytest

import headwater
from headwater.budget.budget import _limits_of
from headwater.lineage.lineage import Lineage
from headwater.model.diagnostic import Code
from headwater.order.cut import cut
from headwater.sql.command_arguments import command_arguments
from headwater.sql.dialect import dialect
from headwater.sql.tokens import _all_tokens, plain_tokens
from nasty_sql import DOUBLING, SCHEMA, nasty

NEIGHBOUR = ";\nINSERT INTO o SELECT b AS y FROM u"
SLOW_MACHINE = 20
"""Seconds beyond the promise, for a machine with other work to do; `benchmarks/nasty.py` measures the promise itself."""


def analysed(sql: str, dialect: str, timeout: float = 10, **options: object) -> Lineage:
    """The lineage of a text, in time."""
    start = time.monotonic()
    lineage = headwater.analyze(sql, dialect, SCHEMA, timeout=timeout, **options)  # type: ignore[arg-type]
    assert time.monotonic() - start < 1.5 * timeout + SLOW_MACHINE
    return lineage


def targets(lineage: Lineage) -> set[str]:
    return {str(edge.target) for edge in lineage.column_edges(rows="none")}


def test_a_migration_of_600_conditions_without_semicolons() -> None:
    """Each line is an IF and, for END and the next IF, one more statement: twice as many as lines."""
    lineage = analysed("IF @a=1 BEGIN PRINT 'a' END\n" * 600, "tsql")
    assert (len(lineage.statements), lineage.diagnostics) == (1_200, [])


def test_a_thousand_blocks_that_are_not_closed() -> None:
    assert [d.code for d in analysed("BEGIN " * 1_000, "bigquery").diagnostics] == [Code.SYNTAX_ERROR]


def test_labels_without_end() -> None:
    assert analysed("<<a>> " * 3_000 + "BEGIN NULL; END;", "oracle", timeout=2) is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["join", "cross join", "qualified", "subquery", "union of joins"])
def test_stars_that_double_are_counted(name: str) -> None:
    """Two columns double with each of 40 steps; the neighbour is analysed."""
    lineage = analysed(DOUBLING[name](40) + NEIGHBOUR, "spark", timeout=60)
    (problem,) = [d for d in lineage.diagnostics if d.code is Code.TOO_LARGE]
    assert problem.message.endswith("columns behind `*`: the limit is 100,000 (--max-columns)")
    assert "o.y" in targets(lineage)


def test_the_limit_of_columns_is_exact() -> None:
    """`c0`, `c1` and the last query list 2, 4 and 4 columns."""
    sql = DOUBLING["join"](1)
    assert analysed(sql, "spark", max_columns=10).diagnostics == []
    assert [d.code for d in analysed(sql, "spark", max_columns=9).diagnostics] == [Code.TOO_LARGE]


def test_relations_are_counted() -> None:
    """Ten sums by ten keys: each key decides over each sum."""
    listed = ", ".join(f"sum(a{i})" for i in range(10))
    sql = f"SELECT {listed} FROM u GROUP BY {', '.join(f'k{i}' for i in range(10))}"
    assert analysed(sql, "spark", max_relations=1_000).diagnostics == []
    (problem,) = analysed(sql + NEIGHBOUR, "spark", max_relations=100).diagnostics
    assert problem.code is Code.TOO_LARGE
    assert "--max-relations" in problem.hint


@pytest.mark.parametrize(
    ("dialect", "head"),
    [("mysql", "CREATE PROCEDURE p()"), ("oracle", "CREATE PROCEDURE p AS"), ("postgres", "DO $$")],
)
def test_a_limit_within_a_program_costs_one_statement(dialect: str, head: str) -> None:
    """The star of 3,000 columns is too large; the statement beside it is analysed."""
    columns = {f"c{i}": "int" for i in range(3_000)}
    end = "END $$;" if dialect == "postgres" else "END;"
    sql = f"{head} BEGIN INSERT INTO o SELECT * FROM t; INSERT INTO k (x) SELECT c1 FROM t; {end}"
    lineage = headwater.analyze(sql, dialect, {"t": columns}, max_columns=2_000)
    assert Code.TOO_LARGE in {d.code for d in lineage.diagnostics}
    assert Code.INTERNAL_ERROR not in {d.code for d in lineage.diagnostics}
    assert {target.lower() for target in targets(lineage)} == {"k.x"}


def test_the_limit_holds_in_a_worker() -> None:
    deep = "(" * 100 + "1" + ")" * 100
    lineage = analysed(f"{DOUBLING['join'](40)} WHERE {deep} = 1", "spark", timeout=60)
    assert [d.code for d in lineage.diagnostics] == [Code.TOO_LARGE]


@pytest.mark.slow
def test_a_script_whose_time_is_up_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each statement is light, and stays in this process; all of them take longer than a script may."""
    monkeypatch.setattr("headwater.budget.budget._TURN_SHARE", 10)
    monkeypatch.setattr("headwater.budget.budget._CHARACTERS_PER_SECOND", 10_000_000)
    monkeypatch.setattr("headwater.budget.budget._RELATIONS_PER_SECOND", 10_000_000)
    _limits_of.cache_clear()
    line = "INSERT INTO o SELECT a AS x FROM t;\n"
    lineage = headwater.analyze(line * 20_000, "spark", timeout=0.3)
    _limits_of.cache_clear()
    (problem,) = lineage.diagnostics
    assert (problem.code, "--timeout" in problem.message) == (Code.TIMEOUT, True)
    assert problem.span is not None
    assert problem.span.start == len(line) * len(lineage.statements)


def test_a_text_that_is_too_long_is_not_read() -> None:
    (problem,) = headwater.analyze("SELECT 1; " * 20_000, timeout=0.1).diagnostics
    assert (problem.code, problem.message) == (
        Code.TIMEOUT,
        "200,000 characters: the limit is 25,000 in 0.1 seconds (--timeout)",
    )
    (problem,) = headwater.analyze("SELECT 1; " * 200_000, memory=100).diagnostics
    assert problem.code is Code.OUT_OF_MEMORY


@pytest.mark.slow
@pytest.mark.parametrize("sql", ["BEGIN CALL x " * 20_000, "BEGIN PRINT 'a' " * 5_000, "BEGIN " * 5_000])
@pytest.mark.parametrize("spoken", ["spark", "tsql", "bigquery", "snowflake"])
def test_a_build_cuts_what_is_nested(sql: str, spoken: str) -> None:
    assert cut(sql, [spoken], "").cuts


@pytest.mark.parametrize(
    "sql",
    [
        "CALL p (1)",
        "SHOW TABLES ; SELECT 1",
        "BEGIN CALL p ('a; b'); END",
        "BEGIN; CALL p; SELECT 1",
        "CALL;",
        "a CALL b",
    ],
)
def test_arguments_of_commands_are_the_grammars_own(sql: str) -> None:
    """What one pass makes of the tokens is what sqlglot's tokenizer makes by calling itself."""
    spoken = dialect("spark")
    expected = [(token.token_type, token.text, token.end) for token in plain_tokens(sql, spoken)]
    made = command_arguments(_all_tokens(sql, spoken), sql, spoken)
    assert [(token.token_type, token.text, token.end) for token in made] == expected


@pytest.mark.slow
@pytest.mark.parametrize("number", range(40))
def test_generated_nasties(number: int) -> None:
    made = nasty(1, number)
    lineage = analysed(made.sql, made.dialect, timeout=1)
    assert Code.INTERNAL_ERROR not in {d.code for d in lineage.diagnostics}
    assert Code.CRASHED not in {d.code for d in lineage.diagnostics}
