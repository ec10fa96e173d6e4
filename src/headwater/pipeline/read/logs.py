"""Query logs, as DataFrames of scripts: what was run ten thousand times is one, with its count, its first and last time and its users.

Where a log says which session ran a statement, the statements of a session that makes something temporary, or changes its schema, are one
script, in the order of their times: they mean nothing without each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.pipeline.read.files import SCRIPT, Reading, source_id
from headwater.runtime.arrow_ddl import ddl
from headwater.store.identity import logged_id

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_OF_A_SESSION = r"(?i)\b(temp|temporary|volatile|cache\s+table|use|search_path)\b|[#@]\w"
"""Whether a statement may leave something to its session; one too many does no harm."""


@dataclass(frozen=True, slots=True)
class LogColumns:
    """The columns of a query log; only the statement's text must be there."""

    sql: str = "sql"
    dialect: str = ""
    user: str = ""
    time: str = ""
    default_schema: str = ""
    session: str = ""


def read_log(log: DataFrame, name: str, columns: LogColumns, reading: Reading) -> DataFrame:
    """The distinct statements of a query log, and its sessions."""
    from pyspark.sql import functions as f

    rows = _rows(log, columns, reading)
    together = _sessions(rows) if columns.session else rows
    distinct = together.groupBy("text", "dialect", "default_schema").agg(
        f.count("*").alias("seen"),
        f.min("first").alias("first_seen"),
        f.max("last").alias("last_seen"),
        f.array_sort(f.array_distinct(f.flatten(f.collect_set("users")))).alias("users"),
    )
    return distinct.mapInArrow(_scripts(name), ddl(SCRIPT))


def _rows(log: DataFrame, columns: LogColumns, reading: Reading) -> DataFrame:
    """The rows of a log that hold SQL."""
    from pyspark.sql import functions as f

    def told(column: str, otherwise: str | None) -> Any:
        return f.coalesce(f.col(column).cast("string"), f.lit(otherwise)) if column else f.lit(otherwise)

    time = f.col(columns.time).cast("timestamp") if columns.time else f.lit(None).cast("timestamp")
    return log.select(
        f.col(columns.sql).cast("string").alias("text"),
        told(columns.dialect, reading.dialect).alias("dialect"),
        told(columns.default_schema, reading.default_schema).alias("default_schema"),
        *(time.alias(name) for name in ("first", "last")),
        f.array_compact(f.array(told(columns.user, None).cast("string"))).alias("users"),
        told(columns.session, None).cast("string").alias("session"),
    ).where("text is not null and trim(text) != ''")


def _sessions(rows: DataFrame) -> DataFrame:
    """The rows of a log, with one for each session whose statements mean nothing without each other."""
    from pyspark.sql import functions as f

    bound = rows.where(f.col("text").rlike(_OF_A_SESSION)).select("session").distinct().where("session is not null")
    steps = f.array_sort(f.collect_list(f.struct("first", "text")))
    texts = f.transform(steps, lambda step: f.rtrim(f.regexp_replace(step["text"], r";\s*$", "")))
    whole = (
        rows.join(bound, "session")
        .groupBy("session", "dialect", "default_schema")
        .agg(
            f.concat(f.array_join(texts, "\n;\n"), f.lit("\n;")).alias("text"),
            f.min("first").alias("first"),
            f.max("last").alias("last"),
            f.array_distinct(f.flatten(f.collect_set("users"))).alias("users"),
        )
    )
    return rows.join(bound, "session", "left_anti").unionByName(whole.select(*rows.columns))


def _scripts(name: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            texts, dialects, schemas = (batch.column(i).to_pylist() for i in range(3))
            rows = list(zip(texts, dialects, schemas, strict=True))
            count = len(rows)
            arrays = [
                pa.array([logged_id(name, *row) for row in rows], pa.int64()),
                pa.array([source_id(name)] * count, pa.int64()),
                pa.array([name] * count),
                pa.array(["log"] * count),
                *(batch.column(i) for i in (1, 2)),
                pa.array([""] * count),
                pa.array([""] * count),
                batch.column(0),
                pa.array([""] * count),
                pa.array([0] * count, pa.int32()),
                *(batch.column(i) for i in range(3, 7)),
            ]
            yield pa.RecordBatch.from_arrays(
                [a.cast(s.type) for a, s in zip(arrays, SCRIPT, strict=True)], schema=SCRIPT
            )

    return run
