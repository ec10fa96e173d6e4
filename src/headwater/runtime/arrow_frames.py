"""Arrow tables to DataFrames and back, on every version of Spark and under Spark Connect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.runtime.arrow_ddl import ddl
from headwater.runtime.versions import takes_arrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def from_arrow(spark: SparkSession, table: pa.Table) -> DataFrame:
    """A DataFrame with the rows of a table."""
    if not len(table):  # PySpark does not take tables whose columns have no chunks
        return spark.createDataFrame([], ddl(table.schema))
    # PySpark 4.3 loses the rows behind an empty chunk, without a word
    table = pa.Table.from_batches([batch for batch in table.to_batches() if batch.num_rows], table.schema)
    if takes_arrow():
        made: DataFrame = spark.createDataFrame(table, ddl(table.schema))
        return made
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    packed = spark.createDataFrame([(bytearray(sink.getvalue().to_pybytes()),)], "payload binary")
    return packed.mapInArrow(_unpack, ddl(table.schema))


def to_arrow(frame: DataFrame) -> pa.Table:
    """The rows of a DataFrame, collected to the driver."""
    if hasattr(frame, "toArrow"):
        return frame.toArrow()
    older: Any = frame
    if hasattr(older, "_collect_as_arrow"):
        from pyspark.sql.pandas.types import to_arrow_schema

        batches = older._collect_as_arrow()
        return pa.Table.from_batches(batches, None if batches else to_arrow_schema(frame.schema))
    client = older._session.client
    table: pa.Table = client.to_table(older._plan.to_proto(client))[0]
    return table


def _unpack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for payload in batch.column(0):
            yield from pa.ipc.open_stream(payload.as_buffer())
