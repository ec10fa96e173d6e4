"""No CSV that people open has a formula in it: what a repository calls its tables is data."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

import headwater
from command import Run, write
from headwater.export.cells import FORMULA
from servers import asked
from stores import make_store

SQL = "CREATE TABLE `=cmd|' /C calc'!A0` AS SELECT `=a`, `+b`, `-c`, `@d`, -1 AS e FROM `@t`"
LINES = """
    raw.orders.=amount -> mart.sales.@revenue IDENTITY = -amount @ sales.sql:3 Insert
"""


def _dangerous(text: str, separator: str = ",") -> list[str]:
    cells = (cell for row in csv.reader(io.StringIO(text), delimiter=separator) for cell in row)
    return [cell for cell in cells if cell.startswith(FORMULA) and not cell[1:].isdecimal()]


@pytest.mark.parametrize(
    ("command", "separator"),
    [
        (("analyze", "-f", "csv"), ","),
        (("export", "-f", "csv"), ","),
        (("export", "-f", "edges"), ","),
        (("export", "-f", "sqlflow-csv"), ";"),
        (("export", "-f", "sqlflow-csv", "--level", "table"), ";"),
    ],
)
def test_lineage_of_scripts_has_no_formulas(run: Run, folder: Path, command: tuple[str, ...], separator: str) -> None:
    write("a.sql", SQL)
    safe = run(*command, "a.sql")
    assert safe.code == 0, safe.err
    assert _dangerous(safe.out, separator) == []
    assert run(*command, "a.sql", "--safe-cells").out == safe.out
    raw = run(*command, "a.sql", "--raw-cells").out
    assert _dangerous(raw, separator)
    assert raw.count("\n") == safe.out.count("\n")


def test_the_python_interface_has_no_formulas() -> None:
    made = headwater.analyze(SQL)
    assert _dangerous(made.to("csv")) == []
    assert "'=a" in made.to("csv")
    assert _dangerous(made.to("edges")) == []


@pytest.mark.parametrize(
    "command",
    [
        ("downstream", "raw.orders.=amount"),
        ("upstream", "mart.sales.@revenue"),
        ("path", "raw.orders.=amount", "mart.sales.@revenue"),
        ("unused",),
        ("search", "revenue"),
        ("impact", "raw.orders.=amount"),
    ],
)
def test_answers_about_a_store_have_no_formulas(run: Run, folder: Path, command: tuple[str, ...]) -> None:
    make_store(folder / "lineage", LINES)
    safe = run(*command, "-f", "csv")
    assert safe.code in (0, 1), safe.err
    assert _dangerous(safe.out) == []
    assert run(*command, "-f", "csv", "--raw-cells").code == safe.code


def test_downloads_of_the_explorer_have_no_formulas(folder: Path) -> None:
    make_store(folder / "lineage", LINES)
    with asked(folder / "lineage") as client:
        for format in ("csv", "edges", "sqlflow-csv"):
            found = client.get("/api/v1/export", params={"of": "mart.sales.@revenue", "format": format})
            assert found.status_code == 200, found.text
            assert _dangerous(found.text, ";" if format == "sqlflow-csv" else ",") == []
