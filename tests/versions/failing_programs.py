"""Programs that fail, as users meet them: what they see of each failure, before, during and after capture, as JSON.

    python failing_programs.py FOLDER [--capture] [--at-once] [--remote sc://HOST:PORT]

Printed is one object for each of three rounds: by program, the type of the exception, its message, its traceback, and what PySpark logged.
Numbers are left out, because Spark counts its jobs and columns. Without `--capture` nothing of Headwater is imported: this is what a
user sees who does not have it. With `--at-once` nothing has failed before the capture. `test_versions.py` compares the two.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

ROUNDS = ("before", "during", "after")
_COMPARED = 1500
"""Characters of a message; servers cut long ones off, and its numbers have more or fewer digits."""


def unknown_column_in_sql(spark: Any, folder: Path) -> None:
    spark.sql("SELECT nowhere FROM range(3)").collect()


def unknown_column_of_a_frame(spark: Any, folder: Path) -> None:
    spark.range(3).select("nowhere").collect()


def syntax_error(spark: Any, folder: Path) -> None:
    spark.sql("SELEC 1").collect()


def unknown_table(spark: Any, folder: Path) -> None:
    spark.table("nowhere.at_all").collect()


def raised_in_sql(spark: Any, folder: Path) -> None:
    spark.sql("SELECT raise_error('boom') FROM range(2)").collect()


def cast_in_sql(spark: Any, folder: Path) -> None:
    spark.conf.set("spark.sql.ansi.enabled", "true")
    spark.sql("SELECT CAST(concat('a', id) AS INT) AS n FROM range(2)").collect()


def division_in_a_frame(spark: Any, folder: Path) -> None:
    from pyspark.sql import functions as f

    spark.conf.set("spark.sql.ansi.enabled", "true")
    spark.range(2).select(f.lit(1) / f.col("id")).collect()


def python_function(spark: Any, folder: Path) -> None:
    from pyspark.sql import functions as f

    spark.range(2).select(f.udf(lambda n: 1 // n, "long")("id")).collect()


def python_function_while_writing(spark: Any, folder: Path) -> None:
    from pyspark.sql import functions as f

    spark.range(2).select(f.udf(lambda n: 1 // n, "long")("id").alias("n")).write.mode("overwrite").parquet(
        f"{folder}/out"
    )


def map_in_pandas(spark: Any, folder: Path) -> None:
    def fail(batches: Any) -> Any:
        raise ValueError("boom")

    spark.range(2).mapInPandas(fail, "id long").collect()


def path_that_is_there(spark: Any, folder: Path) -> None:
    spark.range(1).write.mode("overwrite").parquet(f"{folder}/there")
    spark.range(1).write.parquet(f"{folder}/there")


def path_that_is_not_there(spark: Any, folder: Path) -> None:
    spark.read.parquet(f"{folder}/nowhere").collect()


def wrong_argument(spark: Any, folder: Path) -> None:
    spark.range(3).limit("many").collect()


def wrong_row(spark: Any, folder: Path) -> None:
    spark.createDataFrame([("a",)], "n int").collect()


def to_pandas(spark: Any, folder: Path) -> None:
    spark.sql("SELECT raise_error('boom') AS n FROM range(2)").toPandas()


def insert_of_other_columns(spark: Any, folder: Path) -> None:
    spark.sql("CREATE TABLE IF NOT EXISTS default.narrow (a int) USING parquet")
    spark.sql("INSERT INTO default.narrow SELECT 1, 2")


def stream_of_a_failing_function(spark: Any, folder: Path) -> None:
    from pyspark.sql import functions as f

    spark.range(2).write.mode("overwrite").parquet(f"{folder}/events")
    made = spark.readStream.schema("id long").parquet(f"{folder}/events").select(f.udf(lambda n: 1 // n, "long")("id"))
    made.writeStream.format("noop").trigger(availableNow=True).start().awaitTermination()


def stream_without_a_checkpoint(spark: Any, folder: Path) -> None:
    spark.readStream.format("rate").load().writeStream.format("parquet").start(f"{folder}/stream").awaitTermination()


def rdd(spark: Any, folder: Path) -> None:
    spark.sparkContext.parallelize([0]).map(lambda n: 1 // n).collect()


PROGRAMS: list[Callable[[Any, Path], None]] = [
    *(unknown_column_in_sql, unknown_column_of_a_frame, syntax_error, unknown_table),
    *(raised_in_sql, cast_in_sql, division_in_a_frame),
    *(python_function, python_function_while_writing, map_in_pandas),
    *(path_that_is_there, path_that_is_not_there, wrong_argument, wrong_row, to_pandas, insert_of_other_columns),
    *(stream_of_a_failing_function, stream_without_a_checkpoint, rdd),
]
_ONLY_IN_THE_DRIVER = {"rdd"}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--capture", action="store_true")
    parser.add_argument("--at-once", action="store_true")
    parser.add_argument("--remote", default="")
    told = parser.parse_args()
    sys.stderr = logged = io.StringIO()  # before PySpark makes loggers, which keep it
    spark = _session(told.folder, told.remote)
    programs = [each for each in PROGRAMS if not (told.remote and each.__name__ in _ONLY_IN_THE_DRIVER)]
    seen = {}
    for name in ROUNDS[1:] if told.at_once else ROUNDS:
        if told.capture and name == "during":
            from headwater.spark import capture

            recording: Any = capture(spark)
        else:
            recording = nullcontext()
        with recording as capturing:
            spark.range(3).selectExpr("id AS a").collect()
            if capturing is not None:
                capturing.flush()  # so that it has read a job before one fails
            seen[name] = {each.__name__: failure(each, spark, told.folder, logged) for each in programs}
    print(json.dumps(seen))
    spark.stop()


def _session(folder: Path, remote: str) -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    if remote:
        return builder.remote(remote).getOrCreate()
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.warehouse.dir": folder / "warehouse",
        "spark.driver.host": "127.0.0.1",
    }
    for key, value in settings.items():
        builder = builder.config(key, str(value))
    return builder.master("local[2]").getOrCreate()


def failure(program: Callable[[Any, Path], None], spark: Any, folder: Path, logged: io.StringIO) -> dict[str, Any]:
    """What a user sees of a program that fails."""
    logged.seek(0)
    logged.truncate()
    try:
        program(spark, folder)
    except Exception as error:  # noqa: BLE001 - what is raised is the answer
        frames = [
            f"{Path(each.filename).name}:{each.lineno} {each.name}"
            for each in traceback.extract_tb(error.__traceback__)
        ]
        seen = {"type": type(error).__name__, "message": _plain(str(error)), "traceback": frames}
    else:
        seen = {"type": "", "message": "", "traceback": []}
    return {**seen, "logged": [_plain(line) for line in _log_lines(logged.getvalue())]}


def _log_lines(text: str) -> list[str]:
    """The messages of PySpark's loggers."""
    found = []
    for line in text.splitlines():
        if line.startswith("{") and '"logger"' in line:
            record = json.loads(line)
            found.append(f"{record['level']} {record['logger']} {record['msg']}")
    return found


def _plain(message: str) -> str:
    message = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{32}\b", "ID", message)
    return re.sub(r"\d+", "0", message)[:_COMPARED]


if __name__ == "__main__":
    main()
