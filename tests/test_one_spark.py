"""Which tests share a worker."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest

from one_spark import SPARK, longest_first, scope_of

HERE = Path(__file__).parent


def test_a_group_is_together_and_whoever_starts_spark_is_in_its_group(request: pytest.FixtureRequest) -> None:
    items = request.session.items
    marked = [(i, i.get_closest_marker("xdist_group")) for i in items]
    assert [i.nodeid for i, group in marked if group is not None and scope_of(i.path) != group.args[0]] == []
    assert [
        i.nodeid for i, _ in marked if "spark" in getattr(i, "fixturenames", ()) and scope_of(i.path) != SPARK
    ] == []


def test_files_are_scopes_and_spark_is_one() -> None:
    assert scope_of(HERE / "test_build.py") == scope_of(HERE / "test_spark_functions.py") == SPARK
    assert scope_of(HERE / "test_build_killed.py") == scope_of(HERE / "test_build_faults.py") == "builds"
    assert scope_of(HERE / "test_api.py") != scope_of(HERE / "test_cli.py")


def test_a_test_with_a_browser_is_in_the_browsers_group(request: pytest.FixtureRequest) -> None:
    items = [i for i in request.session.items if "browser" in getattr(i, "fixturenames", ())]
    assert {scope_of(i.path) for i in items} <= {"browser"}


def test_groups_come_first_and_stay_together(request: pytest.FixtureRequest) -> None:
    items = list(request.session.items)
    longest_first(items)
    scopes = [scope for scope, _ in groupby(scope_of(item.path) for item in items)]
    groups = [scope for scope in (SPARK, "browser", "builds", "zetasql") if scope in scopes]
    assert scopes[: len(groups)] == groups
    assert len(scopes) == len(set(scopes))
