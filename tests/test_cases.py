"""The literate cases: each expectation block against what the analyser says, and the validator over every result."""

from __future__ import annotations

import pytest

from case_file import Case, all_cases
from case_runner import analyse, failures
from case_update import update
from validator import violations


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_case(case: Case, request: pytest.FixtureRequest) -> None:
    lineage = analyse(case)
    assert [v for statement in lineage.statements for v in violations(statement)] == []
    problems = failures(case, lineage)
    if "notimpl" in case.blocks:
        assert problems, f"{case.id} passes: take its notimpl block away"
        return
    if problems and request.config.getoption("--update-cases"):
        update(case)
    assert not problems, "\n".join([case.id, *problems])


def test_cases_are_many_and_distinct() -> None:
    cases = [c for c in all_cases() if "notimpl" not in c.blocks]
    scripts = {" ".join(c.sql.split()).lower() + str(c.blocks["sql"].attributes) for c in cases}
    assert len(cases) >= 300
    assert len(scripts) > 0.95 * len(cases)
