"""Memory of a long session that is captured: cells as in a notebook, for as long as asked, and what Python holds meanwhile.

    python benchmarks/notebook.py                     # an hour
    python benchmarks/notebook.py --minutes 5 --pause 0
    python benchmarks/notebook.py --without-capture   # what PySpark itself holds, to compare with

Runs cells of all kinds in turns: queries, joins, writes, tables, functions in Python, pandas, caches, streams, and queries that fail. Each
turn has other constants and other names, so that every turn has jobs that were never seen before. Prints the resident memory of the
Python process and the number of jobs at equal distances, then the growth over the second half.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.runtime.session import spark_session
from headwater.spark import capture

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Cell = Callable[["SparkSession", Path, int], None]
_LINES = 30
"""Lines that are printed of a whole session."""


def query(spark: SparkSession, folder: Path, turn: int) -> None:
    """An aggregation with a name of its own."""
    spark.sql(f"SELECT kind, sum(amount) AS total_{turn} FROM orders WHERE id > {turn % 50} GROUP BY kind").collect()


def join(spark: SparkSession, folder: Path, turn: int) -> None:
    """Two tables, joined and counted."""
    orders, kinds = spark.table("orders"), spark.table("kinds")
    orders.join(kinds, "kind").where(f"amount <> {turn}").groupBy("name").count().collect()


def write(spark: SparkSession, folder: Path, turn: int) -> None:
    """Files in a folder of the day."""
    day = turn % 28
    spark.table("orders").selectExpr("id", f"amount * {turn} AS amount").write.mode("overwrite").parquet(
        f"{folder}/days/{day}"
    )


def table(spark: SparkSession, folder: Path, turn: int) -> None:
    """A table that is made anew, and dropped."""
    spark.table("orders").write.mode("overwrite").saveAsTable(f"scratch_{turn % 5}")
    spark.sql(f"INSERT INTO scratch_{turn % 5} SELECT id, kind, {turn} FROM orders")
    spark.sql(f"DROP TABLE scratch_{turn % 5}")


def python_function(spark: SparkSession, folder: Path, turn: int) -> None:
    """A function in Python."""
    from pyspark.sql import functions as f
    from pyspark.sql.types import LongType

    add = f.udf(lambda value: value + turn, LongType())
    spark.table("orders").select(add("id").alias("more")).limit(3).collect()


def pandas_and_back(spark: SparkSession, folder: Path, turn: int) -> None:
    """Rows out of Spark, and back."""
    found = spark.table("orders").limit(20).toPandas()
    found["amount"] += turn
    spark.createDataFrame(found).createOrReplaceTempView("corrected")
    spark.table("corrected").count()


def cached(spark: SparkSession, folder: Path, turn: int) -> None:
    """A frame that is cached, used twice, and given back."""
    frame = spark.table("orders").withColumn(f"twice_{turn % 100}", spark.table("orders").amount * 2).cache()
    frame.count()
    frame.select("id").distinct().count()
    frame.unpersist()


def failing(spark: SparkSession, folder: Path, turn: int) -> None:
    """A query with a wrong name, and one that fails at run time."""
    with suppress(Exception):
        spark.sql(f"SELECT nowhere_{turn} FROM orders").collect()
    with suppress(Exception):
        spark.sql("SELECT raise_error('no') FROM orders").collect()


def stream(spark: SparkSession, folder: Path, turn: int) -> None:
    """A stream of what is there."""
    if turn % 20:
        return
    source = spark.readStream.schema("id long, kind long, amount long").parquet(f"{folder}/orders")
    writer = source.writeStream.option("checkpointLocation", f"{folder}/checkpoints/{turn}")
    writer.trigger(availableNow=True).start(f"{folder}/streamed", format="parquet").awaitTermination()


CELLS: tuple[Cell, ...] = (
    query,
    join,
    write,
    table,
    python_function,
    pandas_and_back,
    cached,
    failing,
    stream,
)


def resident() -> float:
    """Megabytes that this process holds."""
    gc.collect()
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def growth(samples: list[tuple[float, float]]) -> float:
    """Megabytes an hour over the second half, by least squares."""
    half = samples[len(samples) // 2 :]
    hours, sizes = [at / 3600 for at, _ in half], [size for _, size in half]
    middle, mean = sum(hours) / len(half), sum(sizes) / len(half)
    spread = sum((hour - middle) ** 2 for hour in hours)
    return sum((hour - middle) * (size - mean) for hour, size in zip(hours, sizes, strict=True)) / (spread or 1)


def session(spark: SparkSession, folder: Path, seconds: float, pause: float, captures: bool) -> None:
    """Run cells until the time is over."""
    spark.range(100).selectExpr("id", "id % 3 AS kind", "id * 2 AS amount").write.parquet(f"{folder}/orders")
    spark.read.parquet(f"{folder}/orders").createOrReplaceTempView("orders")
    spark.sql("SELECT 0L AS kind, 'small' AS name UNION SELECT 1L, 'large'").createOrReplaceTempView("kinds")
    samples: list[tuple[float, float]] = []
    begin, turn = time.monotonic(), 0
    with capture(spark, sink=folder / "captured") if captures else nullcontext() as captured:
        while time.monotonic() - begin < seconds:
            for cell in CELLS:
                cell(spark, folder, turn)
                time.sleep(pause)
            turn += 1
            at = time.monotonic() - begin
            if at >= len(samples) * seconds / _LINES:
                if captured is not None:
                    captured.flush()
                samples.append((at, resident()))
                sys.stdout.write(f"{at / 60:6.1f} min  {turn:6} turns  {samples[-1][1]:7.1f} MB\n")
                sys.stdout.flush()
        found = captured.diagnostics if captured is not None else ()
        lost = [d.message for d in found if d.code.value == "not-captured"]
    per_turn = growth(samples) * 1024 * seconds / 3600 / turn
    sys.stdout.write(
        f"growth over the second half: {growth(samples):+.1f} MB an hour, {per_turn:+.1f} kB a turn;"
        f" jobs lost: {lost or 'none'}\n"
    )


def main() -> None:
    """Run a session."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--pause", type=float, default=0.2, help="seconds between two cells")
    parser.add_argument("--without-capture", action="store_true", help="the same cells, not captured")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made, spark_session() as spark:
        session(spark, Path(made), asked.minutes * 60, asked.pause, not asked.without_capture)


if __name__ == "__main__":
    main()
