"""By what a build knows whether a script has changed: a key of what its cuts hang on, and one of everything that is known of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds

from headwater.pipeline.options import Options
from headwater.pipeline.read import SCRIPT
from headwater.pipeline.standing_files import write_rows
from headwater.pipeline.units import Ids

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

READ = pa.schema([*SCRIPT, ("content_key", pa.int64()), ("script_key", pa.int64())])
"""A script with its keys."""
KEYED = pa.schema([field for field in READ if field.name != "text"])
"""What is kept of it: all but its text."""
NEVER = 0
"""In place of a key: no script has this one."""


def keyed(scripts: DataFrame, options: Options) -> DataFrame:
    """Scripts with their keys."""
    from pyspark.sql import functions as f

    def told(*columns: str) -> list[Column]:
        return [f.coalesce(f.col(column).cast("string"), f.lit("")) for column in columns]

    content = told("text", "dialect", "default_schema", "schema", "problem")
    whole = [f.col("content_key"), f.lit(options.dialect), f.array_join("users", "\0")]
    whole += told("path", "kind", "encoding", "seen", "first_seen", "last_seen")
    return scripts.withColumn("content_key", f.xxhash64(f.lit(options.key), *content)).withColumn(
        "script_key", f.xxhash64(*whole)
    )


def read_scripts(folder: Path) -> pa.Table:
    """What was read of scripts but their texts, with their keys."""
    return ds.dataset(folder, format="parquet").to_table(columns=KEYED.names).cast(KEYED)


def write_keys(scripts: pa.Table, crashed: Ids, path: Path) -> None:
    """Keep it for the next build; a script that killed its process may have changed in any case: that may have been chance."""
    dead = np.isin(scripts.column("script_id").to_numpy(), crashed)
    whole = pa.array(np.where(dead, NEVER, scripts.column("script_key").to_numpy()))
    write_rows([scripts.set_column(KEYED.get_field_index("script_key"), "script_key", whole)], KEYED, path)
