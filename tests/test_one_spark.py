"""Which tests share a worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from one_spark import SPARK, scope_of, spark_first

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
    assert scope_of(HERE / "test_api.py") != scope_of(HERE / "test_cli.py")


def test_spark_comes_first(request: pytest.FixtureRequest) -> None:
    items = list(request.session.items)
    spark_first(items)
    scopes = [scope_of(item.path) for item in items]
    assert SPARK not in scopes[scopes.count(SPARK) :]
