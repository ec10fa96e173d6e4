"""Some rows of a frame, by the ids in a column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from headwater.pipeline.units import Ids

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_LISTED = 200
"""Ids that are not worth a join: they are looked for where the files are read."""


def chosen(frame: DataFrame, key: str, ids: Ids) -> DataFrame:
    """The rows with these ids."""
    from pyspark.sql import functions as f

    if len(ids) <= _LISTED:
        return frame.where(f.col(key).isin(ids.tolist()))
    wanted = frame.sparkSession.createDataFrame(pa.table({key: ids}), f"{key} bigint")
    return frame.join(f.broadcast(wanted), key, "left_semi")
