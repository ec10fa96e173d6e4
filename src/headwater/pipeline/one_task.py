"""A session of Spark for little work: a query over a few rows is one task there.

Exchanges between tasks, and tables that are sent to all of them, each cost more than such work itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

_LITTLE = 8 * 2**20
"""Bytes of files that one task stitches before several would have begun: some 7,000 statements."""

_SETTINGS = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.adaptive.enabled": "false",
}
"""No exchanges, and no plans that change under way. Code generation stays on: without it (`codegen.factoryMode`) Spark 4.3 gives
wrong rows, and no more than half a second is won."""


def is_little(size: int) -> bool:
    """Whether files of so many bytes are work for one task."""
    return size <= _LITTLE


class OneTask:
    """Reads files as frames that are one partition each: what is worked out of these alone has no need of exchanges."""

    def __init__(self, spark: SparkSession) -> None:
        self._session = spark.newSession()
        for key, value in _SETTINGS.items():
            self._session.conf.set(key, value)

    def read(self, path: Path, schema: str | StructType) -> DataFrame:
        """A file, or a folder of files."""
        return self._session.read.schema(schema).parquet(str(path)).coalesce(1)
