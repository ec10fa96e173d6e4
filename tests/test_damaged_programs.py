"""Programs that were cut off, or lack a line: statements outside of the damage are found. `test_shuffled_programs` has other damages."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import headwater
from case_file import Case, all_cases
from headwater.model.diagnostic import Code

PROGRAMS = [case for case in all_cases() if case.id.startswith("procedural/")]
DEFECTS = {Code.INTERNAL_ERROR, Code.CRASHED, Code.TIMEOUT}
_MARK = "whole_{}"
_CHANGES = ("INSERT ", "UPDATE ", "DELETE ", "COMMIT")
_SEPARATORS = {"tsql": "\nGO\n", "oracle": "\n/\n"}


def dialect_of(case: Case) -> str:
    return str(case.blocks["sql"].attributes["dialect"])


def analysed(sql: str, dialect: str) -> headwater.Lineage:
    lineage = headwater.analyze(sql, dialect=dialect)
    assert [d for d in lineage.diagnostics if d.code in DEFECTS] == []
    return lineage


def marked(case: Case) -> str:
    """A program with statements of our own behind its changes: where one may stand, others may."""
    lines: list[str] = []
    statement = ""
    marks = 0
    for line in case.sql.split("\n"):
        lines.append(line)
        statement += line.strip() + " "
        if line.rstrip().endswith(";"):
            if statement.startswith(_CHANGES) and _is_plain("\n".join(lines)):
                marks += 1
                lines.append(f"INSERT INTO {_MARK.format(marks)} (x) SELECT y FROM source_{marks};")
            statement = ""
    return "\n".join(lines)


def _is_plain(text: str) -> bool:
    """Whether a text ends outside of a string, as far as a count of its quotes tells."""
    return text.count("'") % 2 == 0 and text.count("(") == text.count(")")


def found(lineage: headwater.Lineage) -> set[str]:
    return {target.lower().rsplit(".", 1)[-1] for target in lineage.targets}


PLAIN = [case for case in PROGRAMS if _MARK.format(1) in marked(case) and "{" not in case.sql]


def test_there_are_programs_to_damage() -> None:
    assert len(PROGRAMS) > 150
    assert len(PLAIN) > 100


@pytest.mark.parametrize("case", PLAIN, ids=[case.id for case in PLAIN])
def test_a_whole_program_has_all_its_statements(case: Case) -> None:
    """Otherwise the next tests could not fail."""
    sql = marked(case)
    targets = found(analysed(sql, dialect_of(case)))
    missing = [m for m in range(1, sql.count("INSERT INTO whole_") + 1) if _MARK.format(m) not in targets]
    assert missing == []


@pytest.mark.slow
@given(st.sampled_from(PLAIN), st.floats(0.05, 1))
def test_a_program_that_is_cut_off(case: Case, share: float) -> None:
    """What stands before the last statement that is whole is found, though no END comes any more."""
    sql = marked(case)
    sql = sql[: int(len(sql) * share)]
    targets = found(analysed(sql, dialect_of(case)))
    if not _is_plain(sql):
        return
    whole = [m for m in range(1, sql.count("INSERT INTO whole_") + 1) if f"FROM source_{m};\n" in sql]
    assert [m for m in whole if _MARK.format(m) not in targets] == []


@pytest.mark.slow
@given(st.sampled_from([case for case in PLAIN if dialect_of(case) in _SEPARATORS]), st.randoms(use_true_random=False))
def test_what_follows_a_damaged_program(case: Case, chance: random.Random) -> None:
    """Where a separator of batches ends the damage, the statements behind it are found."""
    separator = _SEPARATORS[dialect_of(case)]
    lines = case.sql.split("\n")
    del lines[chance.randrange(len(lines))]
    sql = "\n".join(lines)
    if not _is_plain(sql):
        return
    lineage = analysed(f"{sql}{separator}INSERT INTO whole_behind (x) SELECT y FROM source_behind;", dialect_of(case))
    assert "whole_behind" in found(lineage)
