"""Names beside ids: what tables and columns are called, for people to read."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from headwater.spark.whole.tables import Tables


def column_names(tables: Tables) -> DataFrame:
    """`id`, `table_name`, `column_name` of all columns."""
    names = tables.entities.select("entity_id", f.col("name").alias("table_name"))
    owned = tables.columns.select("entity_id", f.col("column_id").alias("id"), f.col("name").alias("column_name"))
    return owned.join(names, "entity_id", "left").select("id", "table_name", "column_name")


def table_names(tables: Tables) -> DataFrame:
    """`id`, `table_name` of all tables."""
    return tables.entities.select(f.col("entity_id").alias("id"), f.col("name").alias("table_name"))


def named(frame: DataFrame, names: DataFrame, own: str) -> DataFrame:
    """The frame with names behind its `id`, which is called *own* from now on."""
    beside = [name for name in names.columns if name != "id"]
    rest = [name for name in frame.columns if name != "id"]
    return frame.join(names, "id", "left").select(f.col("id").alias(own), *beside, *rest)


def named_pairs(pairs: DataFrame, names: DataFrame) -> DataFrame:
    """Pairs with the names of both ends: `source_table`, `source_column`, and so for the target."""
    for end in ("source", "target"):
        called = {name: f"{end}_{name.removesuffix('_name')}" for name in names.columns if name != "id"}
        pairs = pairs.join(names.withColumnsRenamed({"id": f"{end}_id", **called}), f"{end}_id", "left")
    shown = ["source_id", "target_id", "hops"]
    return pairs.select(*shown, *(name for name in pairs.columns if name not in shown))
