"""Which tests share a worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from one_spark import SPARK, scope_of, spark_first

HERE = Path(__file__).parent


def test_whoever_starts_spark_is_with_the_others_that_do(request: pytest.FixtureRequest) -> None:
    items = request.session.items
    marked = [i for i in items if i.get_closest_marker("xdist_group") or "spark" in getattr(i, "fixturenames", ())]
    assert [i.nodeid for i in marked if scope_of(i.path) != SPARK] == []


def test_files_are_scopes_and_spark_is_one() -> None:
    assert scope_of(HERE / "test_build.py") == scope_of(HERE / "test_spark_functions.py") == SPARK
    assert scope_of(HERE / "test_api.py") != scope_of(HERE / "test_cli.py")


def test_spark_comes_first(request: pytest.FixtureRequest) -> None:
    items = list(request.session.items)
    spark_first(items)
    scopes = [scope_of(item.path) for item in items]
    assert SPARK not in scopes[scopes.count(SPARK) :]
