"""Captured jobs, as DataFrames of scripts: what ran ten thousand times is one, with its count, its first and last time and its users.

A job's text is not SQL, but what `headwater.captured` has written down: its dialect says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.captured import CAPTURED
from headwater.captured.line import DAMAGED, ENDING, FIELDS
from headwater.files import passes_over, shown_name
from headwater.openlineage.namespaces import Namespaces
from headwater.openlineage.renaming import renamed
from headwater.pipeline.read.files import SCRIPT, Reading, local_content
from headwater.pipeline.read.inputs import InputFile
from headwater.runtime.arrow_ddl import ddl
from headwater.runtime.arrow_frames import from_arrow
from headwater.storage.uri import is_uri, spark_uri
from headwater.store.identity import NOWHERE, logged_id

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_DAMAGE = "a line of captured jobs cannot be read: its program may have been cut off while it wrote"


def is_captured(path: str) -> bool:
    """Whether a file holds captured jobs."""
    return path.endswith(ENDING)


def read_captured(spark: SparkSession, files: Sequence[InputFile], reading: Reading, shares_disk: bool) -> DataFrame:
    """The distinct jobs in files: those of a folder's programs are told apart."""
    from pyspark.sql import functions as f

    parsed = f.from_json("value", FIELDS, {"columnNameOfCorruptRecord": DAMAGED}).alias("line")
    lines = _lines(spark, files, shares_disk).where("value != ''").select("folder", parsed).select("folder", "line.*")
    name = f.concat_ws("/", f.nullif(f.col("folder"), f.lit("")), f.coalesce("app", f.lit(CAPTURED)))
    jobs = (
        lines.where(f"{DAMAGED} is null")
        .groupBy(name.alias("name"), "hash")
        .agg(
            f.min("job").alias("text"),
            f.sum("seen").alias("seen"),
            f.min("first").alias("first_seen"),
            f.max("last").alias("last_seen"),
            f.array_sort(f.collect_set("user")).alias("users"),
            f.lit("").alias("problem"),
        )
        .where("text is not null")
    )
    torn = lines.where(f"{DAMAGED} is not null").groupBy(name.alias("name"), f.lit("").alias("hash"))
    damaged = torn.agg(
        f.lit("").alias("text"),
        f.lit(1).cast("long").alias("seen"),
        *(f.lit(None).cast("timestamp").alias(each) for each in ("first_seen", "last_seen")),
        f.array().cast("array<string>").alias("users"),
        f.lit(_DAMAGE).alias("problem"),
    )
    return jobs.unionByName(damaged).drop("hash").mapInArrow(scripts_of_jobs(reading, CAPTURED), ddl(SCRIPT))


def _lines(spark: SparkSession, files: Sequence[InputFile], shares_disk: bool) -> DataFrame:
    """The lines of files, each with the folder that it is in as it is shown."""
    from pyspark.sql import functions as f

    folders: dict[str, list[str]] = {}
    for file in files:
        folders.setdefault(file.shown.rpartition("/")[0], []).append(file.place)
    frames = []
    for folder, places in sorted(folders.items()):
        allowed = [place for place in places if is_uri(place) or not passes_over(place)]
        seen = [spark_uri(place) for place in allowed if is_uri(place) or (shares_disk and _is_text(place))]
        sent = [place for place in allowed if not is_uri(place) and not (shares_disk and _is_text(place))]
        if seen:
            frames.append(spark.read.text(seen).withColumn("folder", f.lit(folder)))
        if sent:
            lines = [line for place in sent for line in local_content(place)[0].decode("utf-8", "replace").splitlines()]
            frames.append(from_arrow(spark, pa.table({"value": lines})).withColumn("folder", f.lit(folder)))
    return reduce(lambda one, other: one.unionByName(other), frames)


def _is_text(place: str) -> bool:
    """Whether the name of a file is one that Spark can be given."""
    return shown_name(place) == place


def scripts_of_jobs(reading: Reading, kind: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Rows of jobs, by the name of where they come from, to scripts; tables get the names that scripts have for them."""
    default_schema, namespaces = reading.default_schema, reading.namespaces

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows = [_script(row, kind, default_schema, namespaces) for row in batch.to_pylist()]
            yield pa.RecordBatch.from_pylist(rows, schema=SCRIPT)

    return run


def _script(row: dict[str, Any], kind: str, default_schema: str, namespaces: Namespaces) -> dict[str, Any]:
    text = renamed(row["text"], namespaces)
    return {
        **row,
        "text": text,
        "script_id": logged_id(row["name"], text or row["problem"], kind, default_schema),
        "source_id": NOWHERE,
        "path": row["name"],
        "kind": kind,
        "dialect": CAPTURED,
        "default_schema": default_schema,
        "schema": "",
        "encoding": "",
        "skipped": 0,
        "costs": [],
    }
