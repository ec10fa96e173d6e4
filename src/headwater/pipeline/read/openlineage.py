"""OpenLineage events, as DataFrames of scripts: each distinct job is one, with the count of its runs, its first and its last time.

Files are read line by line where they lie; the events of a run, which may be in several files, come together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa

from headwater.files import refusal
from headwater.openlineage.event_file import LOOKED_AT, Found, begins_like_events, events_in
from headwater.openlineage.job import job_of_run
from headwater.openlineage.namespaces import Namespaces
from headwater.openlineage.run import Moment, merged, moment, run_key
from headwater.pipeline.read.batches import batches_of
from headwater.pipeline.read.captured import scripts_of_jobs
from headwater.pipeline.read.files import SCRIPT, Reading, local_table
from headwater.pipeline.read.inputs import InputFile, contents_at
from headwater.runtime.arrow_ddl import ddl
from headwater.runtime.arrow_frames import from_arrow
from headwater.storage.uri import is_uri, spark_uri

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
_CHARACTERS_PER_BATCH = 1 << 22
"""Characters of events that travel together."""


def read_openlineage(
    spark: SparkSession, files: Sequence[InputFile], reading: Reading, shares_disk: bool, parallelism: int
) -> DataFrame:
    """The distinct jobs in files of events."""
    from pyspark.sql import functions as f

    events = _events(spark, files, shares_disk, parallelism)
    runs = (
        events.groupBy("run", "problem")
        .agg(f.min("name").alias("name"), f.collect_list(f.struct("time", "order", "event")).alias("events"))
        .mapInArrow(_jobs(reading.dialect, reading.namespaces), ddl(_JOB))
    )
    jobs = runs.groupBy("name", "text", "problem").agg(
        f.count("*").alias("seen"),
        f.timestamp_micros(f.min(_known("time"))).alias("first_seen"),
        f.timestamp_micros(f.max(_known("time"))).alias("last_seen"),
        f.array().cast("array<string>").alias("users"),
    )
    return jobs.mapInArrow(scripts_of_jobs(reading, OPENLINEAGE), ddl(SCRIPT))


def _known(time: str) -> Any:
    """A time; nothing for the beginning of 1970, which stands for none."""
    from pyspark.sql import functions as f

    return f.nullif(f.col(time), f.lit(0))


def event_files(spark: SparkSession, files: Sequence[InputFile]) -> list[InputFile]:
    """Those of some JSON files at URIs that hold events, by how they begin."""
    if not files:
        return []
    found = contents_at(spark, [file.place for file in files]).mapInArrow(_event_paths, "path string").collect()
    paths = {spark_uri(row["path"]) for row in found}
    return [file for file in files if file.place in paths]


def _event_paths(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        pairs = zip(batch.column(0).to_pylist(), batch.column(1), strict=True)
        paths = [path for path, content in pairs if begins_like_events(content.as_buffer()[:LOOKED_AT].to_pybytes())]
        yield pa.RecordBatch.from_arrays([pa.array(paths, pa.string())], names=["path"])


def _events(spark: SparkSession, files: Sequence[InputFile], shares_disk: bool, parallelism: int) -> DataFrame:
    """The events in files: workers open those on a disk that they share, the driver sends what they do not see, Spark reads the rest."""
    remote = {file.place: file.shown for file in files if is_uri(file.place)}
    local = [file for file in files if not is_uri(file.place)]
    frames = []
    if remote:
        frames.append(contents_at(spark, list(remote)).mapInArrow(_content_reader(remote), ddl(_EVENT)))
    if local and shares_disk:
        frame = from_arrow(spark, local_table(local)).repartition(min(len(local), 4 * parallelism))
        frames.append(frame.mapInArrow(_file_reader, ddl(_EVENT)))
    elif local:
        rows = [row for file in local for row in _rows(file.place, file.shown, refusal(file.place))]
        frames.append(from_arrow(spark, pa.Table.from_pylist(rows, schema=_EVENT)))
    return reduce(lambda one, other: one.unionByName(other), frames)


def _file_reader(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    files = (each for batch in batches for each in zip(*(c.to_pylist() for c in batch.columns), strict=True))
    rows = ((row, len(row["event"])) for path, shown, refused in files for row in _rows(path, shown, refused))
    yield from batches_of(rows, _EVENT, _CHARACTERS_PER_BATCH)


def _content_reader(shown: Mapping[str, str]) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        pairs = ((path.as_py(), body.as_py()) for batch in batches for path, body in zip(*batch.columns, strict=True))
        files = ((shown.get(spark_uri(path), path), BytesIO(body)) for path, body in pairs)
        rows = ((row, len(row["event"])) for name, file in files for row in _rows_in(file, name))
        yield from batches_of(rows, _EVENT, _CHARACTERS_PER_BATCH)

    return run


def _rows(path: str | bytes, shown: str, refused: str = "") -> Iterator[dict[str, Any]]:
    try:
        if refused:
            raise PermissionError(1, refused)
        with open(path, "rb") as file:
            yield from _rows_in(file, shown)
    except OSError as error:
        problem = f"the file cannot be read: {error.strerror or type(error).__name__}"
        yield {"name": shown, "run": shown, "time": 0, "order": 0, "event": "", "problem": problem}


def _rows_in(file: IO[bytes], shown: str) -> Iterator[dict[str, Any]]:
    nothing = {"name": shown, "run": shown, "time": 0, "order": 0, "event": ""}
    for found in events_in(file):
        yield {**nothing, **_row(found)}


def _row(found: Found) -> dict[str, Any]:
    if found.problem:
        return {"problem": found.problem}
    time, order, text = moment(found.event)
    return {"run": run_key(found.event), "time": time, "order": order, "event": text, "problem": ""}


def _jobs(dialect: str, namespaces: Namespaces) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows = [row for each in batch.to_pylist() for row in _job(each, dialect, namespaces)]
            yield pa.RecordBatch.from_pylist(rows, _JOB)

    return run


def _job(run: dict[str, Any], dialect: str, namespaces: Namespaces) -> Iterator[dict[str, Any]]:
    """The job of a run, if it says something; or what is wrong in a file."""
    if run["problem"]:
        yield {"name": run["name"], "text": "", "time": 0, "problem": run["problem"]}
        return
    moments = [Moment(each["time"], each["order"], each["event"]) for each in run["events"]]
    whole = merged(moments)
    text = job_of_run(whole, dialect, namespaces) if whole is not None else None
    if text is not None:
        yield {"name": run["name"], "text": text, "time": max(each.time for each in moments), "problem": ""}
