"""What diagnostics say: names instead of descriptions, and one message where many would say the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import headwater
from headwater.model.diagnostic import SEVERITY, Code, Diagnostic, Severity

SOURCE = Path(headwater.__file__).parent


@pytest.mark.parametrize(
    ("sql", "spoken", "tables", "message"),
    [
        ("SELECT a FROM t, u", "postgres", {}, "column a could belong to t or u"),
        (
            "SELECT a, b, a FROM d.t x, UNNEST(x.xs) WHERE c = 1",
            "bigquery",
            {},
            "3 columns could belong to x or UNNEST(x.xs): a, b, c",
        ),
        ("SELECT t.z FROM d.t", "postgres", {"d.t": ["a"]}, "d.t has no column z"),
        ("SELECT q.z FROM (SELECT a FROM t) q", "postgres", {}, "q has no column z"),
        (
            "INSERT INTO o SELECT a, b, c FROM t",
            "spark",
            {"o": ["a", "b"]},
            "o takes 2 columns here, the query gives 3; o has no column for c",
        ),
        (
            "SELECT a FROM t NATURAL JOIN u",
            "postgres",
            {"u": ["a"]},
            "a NATURAL join compares the columns that both sides have, and not all of t are known",
        ),
    ],
)
def test_messages_name_what_they_are_about(sql: str, spoken: str, tables: dict[str, list[str]], message: str) -> None:
    said = headwater.analyze(sql, dialect=spoken, schema=tables).diagnostics
    assert [each.message for each in said] == [message]


def test_very_many_ambiguous_columns_are_one_message() -> None:
    names = [f"c{i}" for i in range(3000)]
    said = headwater.analyze(f"SELECT {', '.join(names)} FROM t, u", dialect="spark").diagnostics
    assert [each.message for each in said] == [
        "3000 columns could belong to t or u: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, …"
    ]


def test_a_quoted_name_is_hinted_at_in_quotes() -> None:
    said = headwater.analyze("SELECT t.Total FROM s.t", dialect="postgres", schema={"s.t": ["id", "Total"]}).diagnostics
    assert [each.hint for each in said] == ['did you mean "Total", in quotes?']


def test_every_error_has_a_hint() -> None:
    """What the code says of a single case comes first; errors of projects that need one say it themselves."""
    own = {
        Code.TOO_LARGE,  # the option that it exceeds
        Code.CIRCULAR_REFERENCE,
        Code.MISSING_JOIN,
        Code.SEVERAL_SOURCES,
        Code.AGGREGATE_IN_DIMENSION,
        Code.METRIC_WITHOUT_AGGREGATE,
    }
    without = {code for code in Code if SEVERITY[code] is Severity.ERROR and not Diagnostic(code, "x").hint}
    assert without == own


def calls_that_say(codes: set[str]) -> Iterator[tuple[str, ast.Call]]:
    """The calls of the product that make or say a diagnostic of one of these codes, with their places."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and any(_code(each) in codes for each in node.args):
                yield f"{path.relative_to(SOURCE)}:{node.lineno}", node


def _code(node: ast.expr) -> str:
    is_code = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Code"
    return node.attr if is_code and isinstance(node, ast.Attribute) else ""


@pytest.mark.slow
def test_errors_that_have_no_hint_by_their_code_get_one_where_they_are_said() -> None:
    """A fifth argument of what builds diagnostics is the hint, as a keyword is."""
    by_code = {code.name for code in Code if SEVERITY[code] is not Severity.ERROR or Diagnostic(code, "x").hint}
    found = list(calls_that_say({code.name for code in Code} - by_code))
    assert found
    assert [place for place, call in found if len(call.args) < 4 and "hint" not in {k.arg for k in call.keywords}] == []


@pytest.mark.slow
def test_no_hint_or_message_is_said_of_an_invented_place() -> None:
    """Line 1 and column 1 are a place only where something stands there; what is said of a file has none."""
    for path in sorted(SOURCE.rglob("*.py")):
        calls = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call)]
        said = [n for n in calls if isinstance(n.func, ast.Name) and n.func.id == "Diagnostic"]
        assert [n.lineno for n in said if "Span(0, 0)" in ast.unparse(n)] == [], path
