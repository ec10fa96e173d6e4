"""The ways of a template's statement: all of them where they are few, else each pair of branches; and what edges say of them."""

from __future__ import annotations

import json
import time
from itertools import combinations

import pytest

from headwater import analyze
from headwater.sql.template import blank, template
from headwater.sql.template_ways import MAX_WAYS, Way, Ways, ways_of


def ways(text: str) -> Ways:
    return ways_of(template(text).conditions)


def shown(text: str, way: Way) -> str:
    """What a way leaves of a text, without tags."""
    return " ".join(blank(template(text).text, way.hidden).split())


def words(text: str) -> set[str]:
    return {shown(text, way) for way in ways(text).ways}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{% if x %}a{% else %}b{% endif %}", {"a", "b"}),
        ("{% if x %}a{% endif %}", {"a", ""}),
        ("{% if x %}a{% elif y %}b{% endif %}", {"a", "b", ""}),
        ("{% if x %}a{% endif %} {% if y %}b{% endif %}", {"a b", "a", "b", ""}),
        ("{% if x %}a{% endif %} {% if x %}b{% endif %}", {"a b", ""}),
        ("{% if x %}a{% endif %} {% if not x %}b{% endif %}", {"a", "b"}),
        ("{% if x %}a{% endif %} {% if not (x) %}b{% endif %}", {"a", "b"}),
        ("{% if x %}a{% else %}b{% endif %} {% if y and x %}c{% endif %}", {"a c", "a", "b"}),
        ("{% if x or y %}a{% endif %} {% if x %}b{% endif %}", {"a b", "a", ""}),
        ("{% if x %}a {% if y %}b{% else %}c{% endif %}{% else %}d{% endif %}", {"a b", "a c", "d"}),
        ("{% if x %}a {% if x %}b{% else %}c{% endif %}{% else %}d{% endif %}", {"a b", "d"}),
        ("{% if x if y else z %}a{% endif %} {% if not x if y else z %}b{% endif %}", {"a b", "a", "b", ""}),
    ],
)
def test_all_ways(text: str, expected: set[str]) -> None:
    assert words(text) == expected
    assert ways(text).complete


def test_the_first_way_has_the_first_branches() -> None:
    made = ways("{% if x %}a{% else %}b{% endif %} {% if y %}c{% else %}d{% endif %}")
    assert [way.conditions for way in made.ways] == [("x", "y"), ("x", "not y"), ("not x", "y"), ("not x", "not y")]


@pytest.mark.parametrize("count", [6, 12, 40])
def test_of_many_conditions_each_pair_of_branches_is_in_some_way(count: int) -> None:
    text = " ".join(f"{{% if x{i} %}}a{i}{{% else %}}b{i}{{% endif %}}" for i in range(count))
    made = ways(text)
    assert not made.complete
    assert len(made.ways) <= MAX_WAYS
    together = {pair for way in made.ways for pair in combinations(sorted(way.shown), 2)}
    branches = [(number, span) for number, each in enumerate(template(text).conditions) for span in each.branches]
    for (one, first), (other, second) in combinations(branches, 2):
        assert one == other or tuple(sorted((first, second))) in together


def test_of_very_many_conditions_each_branch_is_in_some_way() -> None:
    text = " ".join(f"{{% if x{i} %}}a{i}{{% elif y{i} %}}b{i}{{% else %}}c{i}{{% endif %}}" for i in range(500))
    start = time.perf_counter()
    made = ways(text)
    assert time.perf_counter() - start < 10
    assert set.union(*(set(way.shown) for way in made.ways)) == {
        b for c in template(text).conditions for b in c.branches
    }


def test_ways_that_are_not_all_are_reported() -> None:
    chosen = ", ".join(f"{{% if x{i} %}} a{i} AS v{i} {{% else %}} b{i} AS v{i} {{% endif %}}" for i in range(8))
    lineage = analyze(f"INSERT INTO o SELECT {chosen} FROM {{% if y %}} t {{% else %}} u {{% endif %}}")
    edges = {(str(e.source), e.target.column) for e in lineage.column_edges(rows="none")}
    assert edges == {(f"{t}.{c}{i}", f"v{i}") for t in "tu" for c in "ab" for i in range(8)}
    assert [d.subject for d in lineage.diagnostics if d.code == "template"] == ["", "ways"]


SQL = "INSERT INTO o SELECT {% if x %} b {% else %} c {% endif %} AS v, d FROM t {% if k == 'a' %} WHERE e > 1 {% endif %}"


def test_relations_have_the_condition_of_their_branch() -> None:
    conditions = {(e.source.column, e.condition) for e in analyze(SQL).column_edges(rows="none")}
    assert conditions == {("b", "x"), ("c", "not x"), ("d", "")}
    rows = {(e.source.column, e.condition) for e in analyze(SQL).column_edges() if e.target.column == "PseudoRows"}
    assert rows == {("e", "k == 'a'"), ("PseudoRows", "")}


def test_json_has_the_conditions() -> None:
    document = json.loads(analyze(SQL).to("json"))
    conditions = {e["source"]["column"]: e["condition"] for e in document["edges"]}
    assert (conditions["b"], conditions["c"], conditions["d"]) == ("x", "not x", None)
    assert [s["condition"] for s in document["statements"]] == [
        "x and k == 'a'",
        "x and not (k == 'a')",
        "not x and k == 'a'",
        "not x and not (k == 'a')",
    ]


def test_conditions_of_a_relation_in_a_nested_branch() -> None:
    sql = "INSERT INTO o SELECT {% if x %} {% if y %} a {% else %} b {% endif %} {% else %} c {% endif %} AS v FROM t"
    conditions = {e.source.column: e.condition for e in analyze(sql).column_edges(rows="none")}
    assert conditions == {"a": "x and y", "b": "x and not y", "c": "not x"}


def test_several_dialects_that_cut_differently_read_all_ways() -> None:
    sql = "INSERT INTO o SELECT a FROM {% if x %} t {% else %} u {% endif %}\nGO\nINSERT INTO p SELECT b FROM v"
    lineage = analyze(sql, "tsql,spark")
    assert {"t", "u"} <= {e.source.table for e in lineage.column_edges(rows="none")}


def test_a_template_with_thousands_of_conditions_takes_no_time() -> None:
    text = "SELECT a FROM t " + "{% if x %}{% if x and y %}b{% endif %}{% elif z %}c{% endif %} " * 2000
    start = time.perf_counter()
    ways(text)
    assert time.perf_counter() - start < 20


def test_a_round_that_is_no_sql_is_an_error() -> None:
    sql = "{% for t in ['a', 'b ('] %} DELETE FROM {{ t }} WHERE x > 1; {% endfor %} SELECT c FROM d"
    lineage = analyze(sql)
    assert [d.code for d in lineage.diagnostics if d.severity == "error"] == ["syntax-error"]
    assert {e.source.table for e in lineage.column_edges(rows="none")} == {"a", "d"} - {"a"}


def test_too_many_rounds_are_read_once_and_reported() -> None:
    lineage = analyze("INSERT INTO o SELECT {% for n in range(20000) %} a_{{ n }}, {% endfor %} b FROM t")
    assert {e.source.column for e in lineage.column_edges(rows="none")} == {"a_{{ n }}", "b"}
    assert [d.subject for d in lineage.diagnostics if d.code == "template"] == ["", "rounds"]


def test_many_rounds_of_statements_are_reported() -> None:
    lineage = analyze("{% for n in range(100) %} INSERT INTO o_{{ n }} SELECT a FROM t; DELETE FROM u; {% endfor %}")
    assert {e.target.table for e in lineage.column_edges(rows="none")} == {f"o_{n}" for n in range(32)}
    assert "rounds" in [d.subject for d in lineage.diagnostics]


def test_branches_and_rounds_together() -> None:
    sql = "{% for t in ['a', 'b'] %} INSERT INTO {{ t }} SELECT {% if x %} p {% else %} q {% endif %} AS v FROM s; SELECT 1; {% endfor %}"
    edges = {(e.target.table, e.source.column, e.condition) for e in analyze(sql).column_edges(rows="none")}
    assert edges == {("a", "p", "x"), ("a", "q", "not x"), ("b", "p", "x"), ("b", "q", "not x")}


def test_a_heavy_statement_has_all_rounds() -> None:
    wide = ", ".join(f"c{n} + 1 AS d{n}" for n in range(3000))
    lineage = analyze(f"INSERT INTO o SELECT {{% for k in ['u', 'w'] %}} {{{{ k }}}}, {{% endfor %}} {wide} FROM t")
    assert {"u", "w"} <= {e.source.column for e in lineage.column_edges(rows="none")}


def test_thousands_of_loops_take_no_time() -> None:
    text = "".join(
        f"{{% for c in xs{n} %}} {{{{ c }}}} {{% if not loop.last %}},{{% endif %}} {{% endfor %}};\n"
        for n in range(5000)
    )
    start = time.perf_counter()
    made = template(text)
    assert time.perf_counter() - start < 10
    assert [len(loop.separators) for loop in made.loops] == [1] * 5000
