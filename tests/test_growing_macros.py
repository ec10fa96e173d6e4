"""SQLMesh's macros that double or multiply text: one model exceeds the limit, with few characters made, and the others go on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from command import write
from headwater.project.read import read_project
from headwater.project.sqlmesh import macros as made_by
from headwater.project.sqlmesh.macros import MAX_SQL, Macros

NUMBERS = ", ".join(map(str, range(1, 41)))
LONG = "a" * 3_000
MANY = ", ".join(f"'{i}'" for i in range(20_000))
GROWING = {
    "REDUCE": f"SELECT @REDUCE([{NUMBERS}], (x, y) -> x + x + y) AS a",
    "REDUCE in a string": f"SELECT @REDUCE([{NUMBERS}], (x, y) -> @'@x @x @y') AS a",
    "DEF with parameters": "@DEF(f, x -> x + x);\nSELECT " + "@f(" * 30 + "a" + ")" * 30 + " AS a",
    "DEF after DEF": "@DEF(v0, a);\n"
    + "".join(f"@DEF(v{i + 1}, @v{i} + @v{i});\n" for i in range(60))
    + "SELECT @v60 AS a",
    "SAFE_ADD": "SELECT " + "@SAFE_ADD(" * 30 + "a, b" + ")" * 30 + " AS a",
    "HAVERSINE_DISTANCE": "SELECT " + "@HAVERSINE_DISTANCE(" * 25 + "a" + ", b, c, d)" * 25 + " AS a",
    "PIVOT": f"SELECT @PIVOT({LONG}, [{MANY}]) FROM t",
    "UNION": f"@UNION('all', {', '.join(f't{i}' for i in range(20_000))}, {LONG})"
    + "@EACH(["
    + MANY
    + f"], x -> {LONG})",
    "EACH in EACH": f"SELECT @EACH([{MANY}], x -> @EACH([{NUMBERS}], y -> @x + @y)) FROM t",
    "a string of variables": f"@DEF(v, '{LONG}');\nSELECT @'" + "@v " * 20_000 + "' AS a",
}


@pytest.mark.slow
@pytest.mark.parametrize("sql", GROWING.values(), ids=GROWING.keys())
def test_what_macros_make_is_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    longest = [0]
    charge: Callable[[Macros, int], None] = made_by.Macros.charge

    def charged(macros: Macros, size: int) -> None:
        charge(macros, size)
        longest[0] = max(longest[0], size)

    monkeypatch.setattr(made_by.Macros, "charge", charged)
    write(
        "mesh/config.yaml", "gateways:\n  g:\n    connection:\n      type: duckdb\nmodel_defaults:\n  dialect: duckdb\n"
    )
    write("mesh/models/x.sql", f"MODEL (name s.x);\n{sql}")
    write("mesh/models/y.sql", "MODEL (name s.y);\nSELECT a FROM t")
    read = read_project(Path("mesh"), {})
    written = {model.name.rpartition(".")[2]: model.sql for model in read.models}
    assert written["y"] == "SELECT a FROM t"
    assert not written["x"]
    (problem,) = [remark.message for remark, _ in read.remarks if "s.x" in remark.message]
    assert "too much text" in problem or "too deeply" in problem
    assert longest[0] <= MAX_SQL
