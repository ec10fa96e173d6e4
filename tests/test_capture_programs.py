"""Captured programs (tests/programs) on the PySpark that is installed, in its driver; `make programs` runs all of them, everywhere."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

sys.path.append(str(Path(__file__).parent / "programs"))

from here import run
from program_file import Place, Program, programs

pytestmark = [
    *(pytest.mark.slow, pytest.mark.xdist_group("spark")),
    pytest.mark.filterwarnings("default"),  # pandas on Spark gives advice by warnings
]

FILES = ("frames", "statements", "streams", "breaks", "databases")
NEEDS_A_LARGER_STACK = "Two thousand steps"
PROGRAMS = [each for file in FILES for each in programs(file) if each.title != NEEDS_A_LARGER_STACK]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: f"{program.file}: {program.title}")
def test_a_captured_program(spark: SparkSession, program: Program) -> None:
    result = run(program, spark, Place(".".join(spark.version.split(".")[:2]), connect=False))
    assert result.outcome in ("right", "gap"), "\n".join(result.difference)
