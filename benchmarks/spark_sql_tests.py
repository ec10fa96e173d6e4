"""Spark's own SQL tests: the static engine against Spark's analyzer, statement by statement.

`python benchmarks/spark_sql_tests.py FOLDER --out verdicts.jsonl` takes `sql/core/src/test/resources/sql-tests/inputs` of a copy of
apache/spark, which is not part of this repository. The exit status is 1 if more than `--most` of the edges differ, if there is an
internal error, or a syntax error where Spark's parser has none.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from headwater.runtime.session import spark_session
from spark_tests.input_file import InputFile, input_files
from spark_tests.scratch import Scratch
from spark_tests.verdict import ANALYZER, PARSER, Comparison, Verdict

MOST = 0.005
"""The share of data-flow edges that may differ."""


def main() -> None:
    """Compare, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, help="a file of one JSON object per statement")
    parser.add_argument("--only", default="", help="files whose name begins with one of these, between commas")
    parser.add_argument("--most", type=float, default=MOST, help="the share of edges that may differ")
    options = parser.parse_args()
    only = tuple(options.only.split(","))
    files = [file for file in input_files(options.folder.resolve()) if file.name.startswith(only)]
    out = options.out.resolve().open("w", encoding="utf-8") if options.out else None
    verdicts = []
    for verdict in _compared(files):
        verdicts.append(verdict)
        if out is not None:
            print(json.dumps(verdict.record()), file=out, flush=True)
    sys.exit(_report(verdicts, options.most))


def _compared(files: list[InputFile]) -> Iterator[Verdict]:
    with tempfile.TemporaryDirectory(prefix="spark-sql-tests-") as folder:
        os.chdir(folder)
        settings = {
            "spark.sql.warehouse.dir": f"{folder}/warehouse",
            "spark.driver.memory": "2g",
            "spark.sql.shuffle.partitions": "1",
            "spark.log.level": "OFF",
        }
        with spark_session("local[1]", settings, isolated=True) as spark:
            for file in files:
                start = time.monotonic()
                scratch = Scratch(spark, file.settings, file.name.startswith("udf/"))
                comparison = Comparison(file, scratch)
                for number, sql in enumerate(file.statements, 1):
                    yield comparison.verdict(number, sql)
                spent = time.monotonic() - start
                print(f"{file.name}: {len(file.statements)} statements, {spent:.0f} s", file=sys.stderr, flush=True)


def _report(verdicts: list[Verdict], most: float) -> int:
    """Print the counts; the exit status."""
    outcomes = Counter(each.outcome for each in verdicts)
    edges = sum(each.edges for each in verdicts)
    extra, missing = sum(len(v.extra) for v in verdicts), sum(len(v.missing) for v in verdicts)
    syntax = [v for v in verdicts if v.syntax and v.outcome != PARSER]
    internal = [v for v in verdicts if v.internal]
    share = (extra + missing) / edges if edges else 0.0
    print(f"{len(verdicts)} statements")
    for outcome, count in outcomes.most_common():
        print(f"    {count:6} {outcome}")
    print(
        f"{edges} data-flow edges, {extra + missing} differ ({share:.2%}): {extra} ours alone, {missing} Spark's alone"
    )
    refused = sum(each.outcome == ANALYZER for each in syntax)
    print(f"{len(syntax)} syntax errors where Spark's parser has none ({refused} of them: its analyzer refuses)")
    print(f"{len(internal)} internal errors")
    print(f"{sum(bool(v.influence) for v in verdicts)} statements with another difference: influence, kinds")
    return int(share > most or bool(syntax) or bool(internal))


if __name__ == "__main__":
    main()
