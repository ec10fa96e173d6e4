"""The tables of a snapshot as DataFrames; `docs/store.md` says what they hold."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession

from headwater.runtime.arrow_ddl import ddl
from headwater.store import Snapshot
from headwater.store.schema import TABLES


@dataclass(frozen=True, slots=True)
class Tables:
    """What whole-graph work reads of a snapshot."""

    entities: DataFrame
    columns: DataFrame
    relations: DataFrame


def tables_of(spark: SparkSession, snapshot: Snapshot) -> Tables:
    """A snapshot's tables, not yet read."""

    def read(name: str) -> DataFrame:
        return spark.read.schema(ddl(TABLES[name].schema)).parquet(*snapshot.uris(name))

    return Tables(**{name: read(name) for name in Tables.__dataclass_fields__})
