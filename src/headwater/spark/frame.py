"""`lineage_of`: a DataFrame with SQL text to a DataFrame of column edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.runtime.arrow_ddl import ddl
from headwater.runtime.workers import make_ready
from headwater.spark.edges import SCHEMA, edge_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def lineage_of(
    frame: DataFrame,
    sql: str = "sql",
    *,
    dialect: str = "spark",
    dialect_column: str | None = None,
    default_schema: str | None = None,
    default_schema_column: str | None = None,
    keep: Sequence[str] = (),
    schema: Any = None,
    ambiguous: str = "candidates",
    insert_by: str = "position",
    timeout: float = 60,
    memory: int = 2048,
) -> DataFrame:
    """The column edges of the texts in column *sql*, with the columns that are to be kept beside them.

    The dialect and the default schema are those given, or those that a column of the frame names. A text that cannot be read is a row with
    a `diagnostic`; nothing is lost.
    """
    from pyspark.sql import functions as f

    def told(column: str | None, otherwise: str | None) -> Any:
        given = f.lit(otherwise).cast("string")
        return given if column is None else f.coalesce(f.col(column).cast("string"), given)

    make_ready(frame.sparkSession)
    asked = [told(dialect_column, dialect), told(default_schema_column, default_schema)]
    ready = frame.select(
        *keep, f.col(sql).cast("string").alias("_sql"), *(a.alias(n) for a, n in zip(asked, _ASKED, strict=True))
    )
    kept = ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in frame.select(*keep).schema)
    options = {"schema": schema, "ambiguous": ambiguous, "insert_by": insert_by}
    options |= {"timeout": timeout, "memory": memory}
    return ready.mapInArrow(_reader(len(keep), options), ", ".join(filter(None, (kept, ddl(SCHEMA)))))


_ASKED = ("_dialect", "_default_schema")


def _reader(kept: int, options: dict[str, Any]) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            texts = [batch.column(kept + i).to_pylist() for i in range(3)]
            places: list[int] = []
            rows: list[tuple[Any, ...]] = []
            for place, (sql, dialect, default_schema) in enumerate(zip(*texts, strict=True)):
                found = list(edge_rows(sql, dialect, default_schema, **options))
                rows += found
                places += [place] * len(found)
            beside = [batch.column(i).take(pa.array(places, pa.int64())) for i in range(kept)]
            columns = list(zip(*rows, strict=True)) or [()] * len(SCHEMA)
            arrays = [pa.array(list(c), field.type) for c, field in zip(columns, SCHEMA, strict=True)]
            names = [*batch.schema.names[:kept], *SCHEMA.names]
            yield pa.RecordBatch.from_arrays([*beside, *arrays], names=names)

    return run
