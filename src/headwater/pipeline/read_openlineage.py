"""OpenLineage events, as DataFrames of scripts: each distinct job is one, with the count of its runs, its first and its last time.

Files are read line by line where they lie; the events of a run, which may be in several files, come together.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.openlineage.event_file import Found, events_in
from headwater.openlineage.job import job_of_run
from headwater.openlineage.run import Moment, merged, moment, run_key
from headwater.pipeline.batches import batches_of
from headwater.pipeline.read import SCRIPT, Reading
from headwater.pipeline.read_captured import scripts_of_jobs
from headwater.runtime.arrow_ddl import ddl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

OPENLINEAGE = "openlineage"
"""The kind of script that a job out of events is."""
_EVENT = pa.schema(
    [
        ("name", pa.string()),
        ("run", pa.string()),
        ("time", pa.int64()),
        ("order", pa.int32()),
        ("event", pa.string()),
        ("problem", pa.string()),
    ]
)
_JOB = pa.schema([("name", pa.string()), ("text", pa.string()), ("time", pa.int64()), ("problem", pa.string())])
_TOGETHER = 1 << 22
"""Characters of events that travel together."""


def read_openlineage(spark: SparkSession, files: Sequence[tuple[str, str]], reading: Reading) -> DataFrame:
    """The distinct jobs in local files of events, given by where they are and how they are shown."""
    from pyspark.sql import functions as f

    places, shown = zip(*files, strict=True)
    table = pa.table({"path": [os.path.abspath(place) for place in places], "shown": list(shown)})
    tasks = min(len(files), 4 * max(spark.sparkContext.defaultParallelism, 1))
    frame = spark.createDataFrame(table, "path string, shown string").repartition(tasks)
    events = frame.mapInArrow(_events, ddl(_EVENT))
    runs = (
        events.groupBy("run", "problem")
        .agg(f.min("name").alias("name"), f.collect_list(f.struct("time", "order", "event")).alias("events"))
        .mapInArrow(_jobs(reading.dialect), ddl(_JOB))
    )
    jobs = runs.groupBy("name", "text", "problem").agg(
        f.count("*").alias("seen"),
        f.timestamp_micros(f.min(_known("time"))).alias("first_seen"),
        f.timestamp_micros(f.max(_known("time"))).alias("last_seen"),
        f.array().cast("array<string>").alias("users"),
    )
    return jobs.mapInArrow(scripts_of_jobs(reading.default_schema, OPENLINEAGE), ddl(SCRIPT))


def _known(time: str) -> Any:
    """A time; nothing for the beginning of 1970, which stands for none."""
    from pyspark.sql import functions as f

    return f.nullif(f.col(time), f.lit(0))


def _events(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    def rows() -> Iterator[tuple[dict[str, Any], int]]:
        for batch in batches:
            for path, shown in zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True):
                for row in _rows(path, shown):
                    yield row, len(row["event"])

    yield from batches_of(rows(), _EVENT, _TOGETHER)


def _rows(path: str, shown: str) -> Iterator[dict[str, Any]]:
    nothing = {"name": shown, "run": shown, "time": 0, "order": 0, "event": ""}
    try:
        with open(path, "rb") as file:
            for found in events_in(file):
                yield {**nothing, **_row(found)}
    except OSError as error:
        yield {**nothing, "problem": f"the file cannot be read: {error.strerror or type(error).__name__}"}


def _row(found: Found) -> dict[str, Any]:
    if found.problem:
        return {"problem": found.problem}
    time, order, text = moment(found.event)
    return {"run": run_key(found.event), "time": time, "order": order, "event": text, "problem": ""}


def _jobs(dialect: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield pa.RecordBatch.from_pylist([row for each in batch.to_pylist() for row in _job(each, dialect)], _JOB)

    return run


def _job(run: dict[str, Any], dialect: str) -> Iterator[dict[str, Any]]:
    """The job of a run, if it says something; or what is wrong in a file."""
    if run["problem"]:
        yield {"name": run["name"], "text": "", "time": 0, "problem": run["problem"]}
        return
    moments = [Moment(each["time"], each["order"], each["event"]) for each in run["events"]]
    whole = merged(moments)
    text = job_of_run(whole, dialect) if whole is not None else None
    if text is not None:
        yield {"name": run["name"], "text": text, "time": max(each.time for each in moments), "problem": ""}
