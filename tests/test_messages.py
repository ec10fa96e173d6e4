"""What diagnostics say: names instead of descriptions, and one message where many would say the same."""

from __future__ import annotations

import pytest

import headwater


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
