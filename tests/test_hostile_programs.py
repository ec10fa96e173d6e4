"""Programs that are made to be hard: deep, wide, and going round in circles. They are answered, and in time."""

from __future__ import annotations

from typing import Any

import pytest

import headwater
from headwater.model.diagnostic import Code
from headwater.procedural import run
from headwater.sql.statement import Statement

pytestmark = pytest.mark.slow

DEFECTS = {Code.INTERNAL_ERROR, Code.CRASHED, Code.TIMEOUT}


def test_a_defect_costs_its_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    """What we do wrong with one statement is said there; the others, and the variables that they hand on, are followed all the same."""
    whole = run.know_texts

    def broken(statement: Statement, *rest: Any) -> None:
        if "broken_here" in statement.text.raw[slice(*statement.span)]:
            raise KeyError("an example of a defect")
        whole(statement, *rest)

    monkeypatch.setattr(run, "know_texts", broken)
    sql = """CREATE PROCEDURE p IS v NUMBER; w NUMBER; BEGIN
      SELECT a INTO v FROM t;
      w := broken_here + 1;
      IF v > 0 THEN INSERT INTO o (x) VALUES (v); END IF;
    END;"""
    lineage = headwater.analyze(sql, dialect="oracle")
    assert ("T.A", "O.X") in {(str(e.source), str(e.target)) for e in lineage.column_edges()}
    (defect,) = [d for d in lineage.diagnostics if d.code is Code.INTERNAL_ERROR]
    assert sql[slice(*defect.span)] == "w := broken_here + 1"
    assert "KeyError" in defect.message


def targets(sql: str, dialect: str) -> tuple[list[str], set[Code]]:
    lineage = headwater.analyze(sql, dialect=dialect)
    codes = {d.code for d in lineage.diagnostics}
    assert codes & DEFECTS == set()
    return lineage.targets, codes


def test_conditions_inside_of_each_other() -> None:
    """Deeper than this process can follow: another one can, or it is said."""
    for depth in (50, 2_000):
        sql = f"BEGIN {'IF a > 0 THEN ' * depth} INSERT INTO o (x) SELECT y FROM t; {'END IF; ' * depth} END;"
        found, codes = targets(sql, "oracle")
        assert found == ["O"] or Code.TOO_DEEP in codes


def test_loops_inside_of_each_other() -> None:
    """Every loop runs until nothing new is found: followed naively, the innermost would be run 3 to the power of 30 times."""
    depth = 30
    steps = "".join(f"v{i} := v{i + 1}; " for i in range(depth))
    declared = "".join(f"v{i} NUMBER; " for i in range(depth + 1))
    sql = (
        f"DECLARE {declared} BEGIN SELECT a INTO v{depth} FROM t; {'LOOP ' * depth}{steps}"
        f"EXIT WHEN v0 > 1; {'END LOOP; ' * depth} INSERT INTO o (x) VALUES (v0); END;"
    )
    lineage = headwater.analyze(sql, dialect="oracle")
    assert ("T.A", "O.X") in {(str(e.source), str(e.target)) for e in lineage.column_edges()}


def test_many_variables() -> None:
    count = 1_500
    declared = " ".join(f"DECLARE @v{i} int = {i};" for i in range(count))
    handed = " ".join(f"SET @v{i + 1} = @v{i};" for i in range(count - 1))
    sql = f"{declared} SELECT @v0 = a FROM t; {handed} INSERT INTO o (x) VALUES (@v{count - 1});"
    lineage = headwater.analyze(sql, dialect="tsql")
    assert ("t.a", "o.x") in {(str(e.source), str(e.target)) for e in lineage.column_edges()}


def test_a_text_that_executes_itself() -> None:
    sql = """DECLARE v VARCHAR2(100) := 'BEGIN EXECUTE IMMEDIATE v; END;';
    BEGIN EXECUTE IMMEDIATE v; INSERT INTO o (x) SELECT y FROM t; END;"""
    found, codes = targets(sql, "oracle")
    assert found == ["O"]
    assert Code.DYNAMIC_SQL in codes


def test_procedures_in_a_circle() -> None:
    names = [f"p{i}" for i in range(20)]
    bodies = [
        f"PROCEDURE {name} (a NUMBER) IS BEGIN INSERT INTO o (x) VALUES (a); {names[(i + 1) % 20]}(a + 1); END;"
        for i, name in enumerate(names)
    ]
    sql = f"CREATE PACKAGE BODY c IS {' '.join(bodies)} PROCEDURE run IS v NUMBER; BEGIN SELECT k INTO v FROM t; p0(v); END; END;"
    lineage = headwater.analyze(sql, dialect="oracle")
    assert ("T.K", "O.X") in {(str(e.source), str(e.target)) for e in lineage.column_edges()}


def test_a_handler_behind_every_statement() -> None:
    inserts = " ".join(f"INSERT INTO o{i} (x) SELECT y FROM t;" for i in range(300))
    sql = f"CREATE PROCEDURE p () BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET @e = 1; {inserts} END;"
    found, _ = targets(sql, "mysql")
    assert len(found) == 300
