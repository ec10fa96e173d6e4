"""Results of a round, kept: what comes next starts from rows, not from the plan that made them, which would grow round by round."""

from __future__ import annotations

from pyspark import StorageLevel
from pyspark.sql import DataFrame

from headwater.runtime.versions import is_connect, names_checkpoint_level


def kept(frame: DataFrame) -> DataFrame:
    """The frame, worked out now.

    In the session's checkpoint folder if it has one, and then an executor may be lost; else with the executors, in memory and on disk.
    """
    spark = frame.sparkSession
    if not is_connect(spark) and spark.sparkContext.getCheckpointDir():
        return frame.checkpoint()
    if not names_checkpoint_level():
        return frame.localCheckpoint()  # on disk too: what Spark itself takes
    return frame.localCheckpoint(storageLevel=StorageLevel.MEMORY_AND_DISK)
