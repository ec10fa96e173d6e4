"""By what a build knows whether a script has changed: a key of what its cuts hang on, and one of everything that is known of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from headwater.pipeline.options import Options
from headwater.pipeline.units import Ids

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

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


def read_keys(scripts: Path) -> pa.Table:
    """The ids and keys of scripts."""
    return ds.dataset(scripts, format="parquet").to_table(columns=["script_id", "content_key", "script_key"])


def write_keys(keys: pa.Table, crashed: Ids, path: Path) -> None:
    """Keep the keys for the next build; a script that killed its process may have changed in any case: that may have been chance."""
    ids = keys.column("script_id").to_numpy()
    whole = np.where(np.isin(ids, crashed), NEVER, keys.column("script_key").to_numpy())
    pq.write_table(pa.table({"script_id": ids, "script_key": whole}), path, compression="zstd")
