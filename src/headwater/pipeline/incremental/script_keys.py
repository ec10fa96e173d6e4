"""By what a build knows whether a script has changed: a key of what its cuts depend on, and one of everything that is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from headwater.pipeline.options import Options
from headwater.pipeline.read.files import SCRIPT

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_KEYS = [
    ("content_key", pa.int64()),
    ("script_key", pa.int64()),
    ("characters", pa.int32()),
    ("unreadable", pa.bool_()),
]
READ = pa.schema([*SCRIPT, *_KEYS])
"""A script with its keys."""
KEYED = pa.schema([field for field in READ if field.name not in ("text", "problem")])
"""What is kept of it: all but its text."""
IDENTIFIED = ("script_id", "source_id", "path", "last_seen", "content_key", "script_key", "characters", "unreadable")
"""What the driver needs of it."""


def keyed(scripts: DataFrame, options: Options) -> DataFrame:
    """Scripts with their keys."""
    from pyspark.sql import functions as f

    def texts(*columns: str) -> list[Column]:
        return [f.coalesce(f.col(column).cast("string"), f.lit("")) for column in columns]

    content = texts("text", "dialect", "default_schema", "schema", "problem")
    whole = [f.col("content_key"), f.lit(options.dialect), f.array_join("users", "\0"), f.to_json("costs")]
    whole += texts("path", "kind", "encoding", "seen", "first_seen", "last_seen")
    return (
        scripts.withColumn("content_key", f.xxhash64(f.lit(options.key), *content))
        .withColumn("script_key", f.xxhash64(*whole))
        .withColumn("characters", f.length("text"))
        .withColumn("unreadable", (f.col("problem") != "") & (f.length("text") == 0))
    )
