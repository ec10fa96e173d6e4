"""Captured jobs, as DataFrames of scripts: what ran ten thousand times is one, with its count, its first and last time and its users.

A job's text is not SQL, but what `headwater.captured` has written down: its dialect says so.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from headwater.captured import CAPTURED
from headwater.captured.line import DAMAGED, ENDING, FIELDS
from headwater.pipeline.read import SCRIPT, Reading
from headwater.runtime.arrow_ddl import ddl
from headwater.store.identity import NOWHERE, logged_id

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_DAMAGE = "a line of captured jobs cannot be read: its program may have been cut off while it wrote"


def is_captured(path: str) -> bool:
    """Whether a file holds captured jobs."""
    return path.endswith(ENDING)


def read_captured(spark: SparkSession, files: Sequence[tuple[str, str]], reading: Reading) -> DataFrame:
    """The distinct jobs in local files, given by where they are and how they are shown: those of a folder's programs are told apart."""
    from pyspark.sql import functions as f

    folders = {os.path.abspath(place): shown.rpartition("/")[0] for place, shown in files}
    reader = spark.read.schema(FIELDS).option("columnNameOfCorruptRecord", DAMAGED)
    frames = [
        reader.json([place for place in folders if folders[place] == folder]).withColumn("folder", f.lit(folder))
        for folder in sorted(set(folders.values()))
    ]
    lines = frames[0]
    for frame in frames[1:]:
        lines = lines.unionByName(frame)
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
    return (
        jobs.unionByName(damaged)
        .drop("hash")
        .mapInArrow(scripts_of_jobs(reading.default_schema, CAPTURED), ddl(SCRIPT))
    )


def scripts_of_jobs(default_schema: str, kind: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Rows of jobs, by the name of where they come from, to scripts."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows = [
                {
                    **row,
                    "script_id": logged_id(row["name"], row["text"] or row["problem"], kind, default_schema),
                    "source_id": NOWHERE,
                    "path": row["name"],
                    "kind": kind,
                    "dialect": CAPTURED,
                    "default_schema": default_schema,
                    "schema": "",
                    "encoding": "",
                    "skipped": 0,
                }
                for row in batch.to_pylist()
            ]
            yield pa.RecordBatch.from_pylist(rows, schema=SCRIPT)

    return run
