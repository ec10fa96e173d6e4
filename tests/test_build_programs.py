"""Builds of programs: what travels between scripts, and what stays in one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from test_build import built, here, pairs, written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["here"]

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]


@pytest.fixture(autouse=True)
def _one_session(spark: SparkSession) -> None:
    """Builds take the session that is there."""
    return


def test_names_that_stay_unknown_belong_to_their_script(here: Path) -> None:
    one = "INSERT INTO IDENTIFIER($src) SELECT {0} FROM s"
    written(here, {"sql/a.sql": one.format("a"), "sql/b.sql": one.format("b"), "sql/c.sql": one.format("b") + ";"})
    snapshot = built(dialect="snowflake").snapshot
    assert pairs(snapshot) == {"S.A -> $SRC.A", "S.B -> $SRC.B"}
    entities = [r for r in snapshot.table("entities").to_pylist() if r["name"] == "$SRC"]
    assert len(entities) == 3
    assert not any(r["temporary"] for r in entities)


def test_a_type_of_another_script(here: Path) -> None:
    body = """CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$
    DECLARE p sch.pair;
    BEGIN
      SELECT x, y INTO p FROM s;
      INSERT INTO t (a, b) VALUES (p.a, p.b);
    END $$;"""
    written(here, {"sql/z.sql": "CREATE TYPE sch.pair AS (a int, b text);", "sql/b.sql": body})
    snapshot = built(dialect="postgres").snapshot
    assert {"s.x -> t.a", "s.y -> t.b"} <= pairs(snapshot)
    assert not {"s.x -> t.b", "s.y -> t.a"} & pairs(snapshot)
    assert "sch.pair" not in {r["name"] for r in snapshot.table("entities").to_pylist()}


def test_a_type_of_a_package_of_another_script(here: Path) -> None:
    specification = """CREATE PACKAGE types_pkg IS
      TYPE rec_t IS RECORD (a NUMBER, b NUMBER);
    END types_pkg;
    /"""
    body = """CREATE PROCEDURE p IS
      r types_pkg.rec_t;
    BEGIN
      SELECT x, y INTO r FROM s;
      INSERT INTO t (a, b) VALUES (r.a, r.b);
    END;
    /"""
    written(here, {"sql/z.sql": specification, "sql/b.sql": body})
    assert pairs(built(dialect="oracle").snapshot) == {"S.X -> T.A", "S.Y -> T.B"}
