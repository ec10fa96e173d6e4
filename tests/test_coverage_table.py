"""docs/coverage.md is what the cases say; every case has a row, and no dialect lacks a case of a construct that it has."""

from __future__ import annotations

from pathlib import Path

import pytest

from case_file import CASES, Block, Case, all_cases
from coverage_table import PAGE, Construct, Facts, count, read_facts, render
from headwater.sql.dialect import dialect_names


@pytest.fixture(scope="module")
def facts() -> Facts:
    return read_facts()


def _case(path: str, dialect: str, fails: str = "", **attributes: str) -> Case:
    blocks = {"sql": Block("sql", {"dialect": dialect, **attributes}, "")}
    if fails:
        blocks["notimpl"] = Block("notimpl", {}, fails)
    return Case(CASES / f"{path}.md", "a case", blocks)


def test_page_is_up_to_date(facts: Facts) -> None:
    page = render(count(all_cases(), facts))
    assert PAGE.read_text(encoding="utf-8") == page, "run `make coverage-table`"


def test_no_cell_is_empty(facts: Facts) -> None:
    gaps = count(all_cases(), facts).gaps
    assert not gaps, "no case of " + ", ".join(f"{construct} in {column}" for construct, column in gaps)


def test_every_dialect_has_a_column_or_a_hundred_statements_of_its_vendor(facts: Facts) -> None:
    vendors = count(all_cases(), facts).vendors
    assert sorted([*(d for dialects in facts.columns.values() for d in dialects), *vendors]) == dialect_names()
    assert {name: held for name, held in vendors.items() if sum(held) < 100 or held[0] < 95} == {}


def test_every_exclusion_has_a_reason_and_is_true(facts: Facts) -> None:
    table = count(all_cases(), facts)
    for construct in facts.constructs:
        assert all(construct.without.values())
        contradicted = [column for column in construct.without if table.counts[construct.id, column]]
        assert not contradicted, f"{construct.id} is said to be missing from {contradicted}, and there are cases"


def test_every_declared_path_exists(facts: Facts) -> None:
    for construct in facts.constructs:
        for each in construct.cases:
            assert (CASES / each).is_dir() or (CASES / f"{each}.md").exists(), f"{construct.id}: {each}"


def test_every_case_has_a_row(facts: Facts) -> None:
    undeclared = count(all_cases(), facts).undeclared
    assert not undeclared, f"no row of coverage_facts.toml counts {', '.join(undeclared)}"


def test_what_is_not_declared_is_named() -> None:
    facts = Facts({"spark": ("spark",), "hive": ("hive",)}, (Construct("star", "`*`", ("star/x",)),))
    table = count([_case("brand_new/one", "spark"), _case("star/x", "spark"), _case("star/y", "spark")], facts)
    assert table.undeclared == ("brand_new", "star/y")
    assert table.gaps == [("star", "hive")]


def test_a_case_that_fails_fills_no_cell_but_is_told() -> None:
    facts = Facts({"spark": ("spark",), "hive": ("hive",)}, (Construct("star", "`*`", ("star",)),))
    table = count(
        [_case("star/x", "spark"), _case("star/x", "spark", "why"), _case("star/x", "hive", "Too hard.")], facts
    )
    page = render(table)
    assert table.gaps == []
    assert table.not_yet == [("star", "hive")]
    assert "| `*` | 1 | ✗ |" in page
    assert "* `*`, hive: a case. Too hard." in page


def test_rows_stand_under_their_heading() -> None:
    facts = Facts({"spark": ("spark",)}, (Construct("a", "A", (), group="One"), Construct("b", "B", (), group="Two")))
    page = render(count([], facts))
    assert page.index("## One") < page.index("| A |") < page.index("## Two") < page.index("| B |")


def test_a_case_of_a_dialect_counts_where_it_says() -> None:
    facts = Facts(
        {"spark": ("spark", "databricks")}, (Construct("star", "`*`", ("star",)), Construct("cte", "WITH", ()))
    )
    table = count([_case("dialect/spark", "databricks", covers="star,cte"), _case("dialect/spark", "spark")], facts)
    assert dict(table.counts) == {("star", "spark"): 1, ("cte", "spark"): 1}
    assert table.undeclared == ()


def test_what_a_case_covers_must_exist() -> None:
    facts = Facts({"spark": ("spark",)}, ())
    with pytest.raises(ValueError, match="no construct"):
        count([_case("star/x", "spark", covers="strar")], facts)


def test_a_row_leaves_out_columns_only(tmp_path: Path) -> None:
    wrong = tmp_path / "facts.toml"
    wrong.write_text(
        '[columns]\nspark = ["spark"]\n[[construct]]\nid = "a"\nname = "A"\ncases = []\n[construct.without]\nx = ["hiv"]\n'
    )
    with pytest.raises(ValueError, match="no column"):
        read_facts(wrong)
