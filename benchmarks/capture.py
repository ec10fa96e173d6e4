"""What live capture costs the program that is captured: the same jobs with and without it, in turns, in one run.

    python benchmarks/capture.py                      # about ten minutes
    python benchmarks/capture.py --rounds 3 --small 40 --steps 100

Prints one row for each kind of job: the median seconds of a round without and with capture, as the user's thread sees them and as
processor time of the Python process, and their ratio. A round with capture ends when its last job has been read and written.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from headwater.runtime.session import spark_session
from headwater.spark import capture

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Work = Callable[[], None]
_SETTINGS = {"spark.driver.extraJavaOptions": "-Xss64m"}
"""Spark itself needs a deep stack for plans of thousands of steps."""


class Round(NamedTuple):
    """Seconds of a round: until the last job returned, until the last was recorded, and of Python's processor time."""

    jobs: float
    recorded: float
    processor: float


def small_queries(spark: SparkSession, count: int) -> Work:
    """Queries of a few milliseconds, all different, as a notebook or a dashboard sends them."""

    def work() -> None:
        for i in range(count):
            spark.sql(f"SELECT kind, sum(amount) AS total{i} FROM small WHERE id > {i} GROUP BY kind").collect()

    return work


def repeated_writes(spark: SparkSession, folder: Path, count: int) -> Work:
    """The same small write again and again, as a stream's batches are."""

    def work() -> None:
        frame = spark.table("small").groupBy("kind").count()
        for _ in range(count):
            frame.write.mode("overwrite").parquet(f"{folder}/again")

    return work


def large_job(spark: SparkSession, folder: Path, rows: int) -> Work:
    """One job that keeps all cores busy."""

    def work() -> None:
        frame = spark.range(rows).selectExpr("id % 1000 AS k", "sqrt(id) AS x", "id % 7 AS y")
        frame.groupBy("k", "y").avg("x").write.mode("overwrite").parquet(f"{folder}/large")

    return work


def many_steps(spark: SparkSession, steps: int) -> Work:
    """One query of very many steps: each adds a column to the one before."""
    from pyspark.sql import functions as f

    def work() -> None:
        frame = spark.table("small").select("id", "amount")
        for i in range(steps):
            frame = frame.withColumn("amount", f.col("amount") + i)
        frame.collect()

    return work


def timed(work: Work, spark: SparkSession, sink: Path | None) -> Round:
    """One round, with capture if there is a sink."""
    captured = capture(spark, sink=sink) if sink is not None else None
    start, processor = time.perf_counter(), time.process_time()
    work()
    jobs = time.perf_counter() - start
    if captured is not None:
        captured.flush()
    ended = Round(jobs, time.perf_counter() - start, time.process_time() - processor)
    if captured is not None:
        captured.stop()
    return ended


def compared(name: str, work: Work, spark: SparkSession, folder: Path, rounds: int) -> None:
    """Print the row of one kind of job; a round of each kind is not counted."""
    timed(work, spark, None), timed(work, spark, folder / "captured")
    plain, with_capture = [], []
    for number in range(rounds):
        for kind in ((plain, None), (with_capture, folder / "captured"))[:: 1 if number % 2 else -1]:
            kind[0].append(timed(work, spark, kind[1]))
    one, other = (Round(*map(statistics.median, zip(*each, strict=True))) for each in (plain, with_capture))
    ratios = [w.jobs / p.jobs for p, w in zip(plain, with_capture, strict=True)]
    sys.stdout.write(
        f"{name:<16} {one.jobs:8.2f} s {other.jobs:8.2f} s  ratio {other.jobs / one.jobs:5.2f} "
        f"(rounds {min(ratios):.2f} to {max(ratios):.2f})  recorded after {other.recorded:6.2f} s  "
        f"Python's processor {one.processor:5.2f} s, {other.processor:5.2f} s\n"
    )
    sys.stdout.flush()


def main() -> None:
    """Compare all kinds of jobs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--small", type=int, default=200, help="small jobs in a round")
    parser.add_argument("--steps", type=int, default=2_000, help="steps of the long query")
    parser.add_argument("--rows", type=int, default=20_000_000, help="rows of the large job")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made, spark_session(settings=_SETTINGS) as spark:
        folder = Path(made)
        spark.range(100).selectExpr("id", "id % 3 AS kind", "id * 2 AS amount").write.parquet(f"{folder}/small")
        spark.read.parquet(f"{folder}/small").createOrReplaceTempView("small")
        compared("small queries", small_queries(spark, asked.small), spark, folder, asked.rounds)
        compared("repeated writes", repeated_writes(spark, folder, asked.small // 10), spark, folder, asked.rounds)
        compared("many steps", many_steps(spark, asked.steps), spark, folder, asked.rounds)
        compared("a large job", large_job(spark, folder, asked.rows), spark, folder, asked.rounds)


if __name__ == "__main__":
    main()
