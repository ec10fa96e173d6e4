"""Spark's own SQL tests: the static engine against Spark's analyzer, statement by statement.

`python benchmarks/spark_sql_tests.py FOLDER --out verdicts.jsonl` takes `sql/core/src/test/resources/sql-tests/inputs` of a copy of
apache/spark, which is not part of this repository. The exit status is 1 if more than `--most` of the edges differ, if there is an
internal error, or a syntax error where Spark's parser has none.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from agreement import Verdict, print_counts, run
from headwater.runtime.session import spark_session
from spark_tests.input_file import input_files
from spark_tests.scratch import Scratch
from spark_tests.verdict import ANALYZER, PARSER, Comparison


def _compared(inputs: Path, only: tuple[str, ...]) -> Iterator[Verdict]:
    with tempfile.TemporaryDirectory(prefix="spark-sql-tests-") as folder:
        os.chdir(folder)
        settings = {
            "spark.sql.warehouse.dir": f"{folder}/warehouse",
            "spark.driver.memory": "2g",
            "spark.sql.shuffle.partitions": "1",
            "spark.log.level": "OFF",
        }
        with spark_session("local[1]", settings, isolated=True) as spark:
            for file in (each for each in input_files(inputs) if each.name.startswith(only)):
                start = time.monotonic()
                scratch = Scratch(spark, file.settings, file.name.startswith("udf/"))
                comparison = Comparison(file, scratch)
                for number, sql in enumerate(file.statements, 1):
                    yield comparison.verdict(number, sql)
                spent = time.monotonic() - start
                print(f"{file.name}: {len(file.statements)} statements, {spent:.0f} s", file=sys.stderr, flush=True)


def _report(verdicts: list[Verdict], most: float) -> int:
    """Print the counts; the exit status."""
    share = print_counts(verdicts, "Spark")
    syntax = [v for v in verdicts if v.syntax and v.outcome != PARSER]
    refused = sum(each.outcome == ANALYZER for each in syntax)
    print(f"{len(syntax)} syntax errors where Spark's parser has none ({refused} of them: its analyzer refuses)")
    return int(share > most or bool(syntax) or any(v.internal for v in verdicts))


if __name__ == "__main__":
    run(__doc__, _compared, _report)
