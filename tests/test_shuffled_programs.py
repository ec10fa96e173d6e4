"""One routine of a script is shuffled: the others are found as if it were not there. So are whole statements in any order."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import headwater
from case_file import Case
from headwater.model.diagnostic import Code
from shuffled_scripts import BODIES, DAMAGES, EXPECTED, ROUTINES, edges, script, statements_of
from test_damaged_programs import PROGRAMS, analysed, dialect_of

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]
"""Counting takes as long as running, and the cases have counted it."""

_INTACT = (901, 903, 904)
_CHANGES_THE_REST = ("use ", "search_path", "schema", "database ", "delimiter")
"""What changes the meaning of names in all that follows, or how it is cut."""
_DIALECTS = sorted(ROUTINES)
FOREIGN = [
    case
    for case in PROGRAMS
    if dialect_of(case) in ROUTINES and not any(words in case.sql.lower() for words in _CHANGES_THE_REST)
]
"""Programs of all kinds whose shuffled text may stand between our routines."""


def intact(dialect: str) -> list[str]:
    return [ROUTINES[dialect].format(n=n) for n in _INTACT]


def lost(damaged: str, dialect: str, separated: bool) -> set[tuple[str, str]]:
    """The edges of the intact routines that are not found any more when a damaged one stands among them."""
    first, *others = intact(dialect)
    sql = script([first, damaged, *others], dialect, separated)
    analysed(sql, dialect)
    return edges(script([first, *others], dialect, separated), dialect) - edges(sql, dialect)


@pytest.mark.parametrize("separated", [True, False])
@pytest.mark.parametrize("dialect", _DIALECTS)
def test_what_is_to_be_found(dialect: str, separated: bool) -> None:
    """Otherwise the next tests could not fail."""
    found = edges(script(intact(dialect), dialect, separated), dialect)
    expected = {(source.format(n=n), target.format(n=n)) for source, target in EXPECTED for n in _INTACT}
    assert expected - found == set()


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
@given(st.sampled_from(_DIALECTS), st.booleans(), st.randoms(use_true_random=False))
def test_one_routine_is_damaged(damage: str, dialect: str, separated: bool, chance: random.Random) -> None:
    damaged = DAMAGES[damage](ROUTINES[dialect].format(n=902), chance)
    assert lost(damaged, dialect, separated) == set()


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
@given(st.sampled_from(FOREIGN), st.booleans(), st.randoms(use_true_random=False))
def test_something_else_is_damaged(damage: str, case: Case, separated: bool, chance: random.Random) -> None:
    """Programs of any kind, for example packages, triggers and scripts, stand damaged among the routines."""
    sql = "\n".join(line for line in case.sql.split("\n") if "--" not in line)
    assert lost(DAMAGES[damage](sql, chance), dialect_of(case), separated) == set()


@pytest.mark.parametrize("dialect", _DIALECTS)
@given(chance=st.randoms(use_true_random=False))
def test_statements_in_any_order(dialect: str, chance: random.Random) -> None:
    """Each statement reads its own table and writes its own, wherever it stands."""
    count = 8
    statements = statements_of(dialect, count)
    chance.shuffle(statements)
    lineage = analysed(BODIES[dialect].format(body="\n".join(statements)), dialect)
    found = {(edge.source.lower(), edge.target.lower()) for edge in lineage.table_edges()}
    assert {(f"read_{n}", f"written_{n}") for n in range(count)} - found == set()
    assert [d.code for d in lineage.diagnostics if d.code is Code.SYNTAX_ERROR] == []


def test_many_routines_without_an_end() -> None:
    """Each is looked through only up to the next ones, so that this is answered at once."""
    count = 3_000
    sql = "".join(f"CREATE PROCEDURE p{n} ()\nBEGIN\n  INSERT INTO o{n} (x) SELECT y FROM t;\n" for n in range(count))
    lineage = headwater.analyze(sql, dialect="bigquery")
    assert len(lineage.targets) == count


def test_many_bodies_without_an_end() -> None:
    """Dollar signs that close nothing are not looked for again and again."""
    sql = "\n".join(f"DO $a{n}$ x;" for n in range(3_000)) + "\nINSERT INTO o (x) SELECT y FROM t;"
    assert "o" in headwater.analyze(sql, dialect="postgres").targets
