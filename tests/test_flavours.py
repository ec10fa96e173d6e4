"""The generated project of `benchmarks/flavours.py`: no model is lost, with stand-ins or with the macros of the real adapters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
PROGRAM = Path(__file__).parent.parent / "benchmarks" / "flavours.py"
MODELS = "306"


def rows(*adapters: str, packages: Path | None = None) -> dict[str, list[str]]:
    """The table that the program prints: models, lost, columns, without source, explained diagnostics, others."""
    path = [str(packages)] if packages else []
    path += [os.environ["PYTHONPATH"]] if os.environ.get("PYTHONPATH") else []
    run = subprocess.run(
        [sys.executable, str(PROGRAM), *adapters],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert ("dbt-adapters" in run.stdout) >= (packages is not None)
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in run.stdout.splitlines() if "|" in line]
    return {adapter: figures[:6] for adapter, *figures in lines[2:]}


@pytest.mark.parametrize("adapter", ["databricks", "redshift"])
def test_no_model_is_lost_with_stand_ins(adapter: str) -> None:
    figures = rows(adapter)[adapter]
    assert (figures[:2], figures[4:]) == ([MODELS, "0"], ["0", "0"])


def test_no_model_is_lost_with_the_real_adapters(dbt_adapters: Path) -> None:
    """Databricks' macros stand on Spark's, and Redshift's on those of PostgreSQL."""
    found = rows(packages=dbt_adapters)
    assert sorted(found) == ["bigquery", "databricks", "duckdb", "postgres", "redshift", "snowflake"]
    assert {adapter: (figures[:2], figures[5]) for adapter, figures in found.items()} == dict.fromkeys(
        found, ([MODELS, "0"], "0")
    )
