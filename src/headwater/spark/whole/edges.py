"""Who is next to whom: the relations that are followed, by the rules of `headwater.graph`.

Data flows through `fdd`; the rest is influence; referenced keys are neither. A column belongs to the row set of its entity, and fields of
struct columns to the column.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from headwater.graph.relation_arrays import FOREIGN_KEY
from headwater.model.kind import FDD
from headwater.spark.whole.fields import field_relations
from headwater.spark.whole.keeping import kept

DATA, INFLUENCE, KEYS = "data", "influence", "keys"
LAYERS = (DATA, INFLUENCE, KEYS)


@dataclass(frozen=True, slots=True)
class Edges:
    """What is followed: hops (`source_id`, `target_id`), and if influence is followed what belongs to row sets, else None.

    Nothing leads to itself, and a pair is there once.
    """

    hops: DataFrame
    belonging: DataFrame | None
    """`row_set_id`, `column_id`: a step that is no hop."""

    def kept(self) -> Edges:
        """The same, worked out."""
        return Edges(kept(self.hops), None if self.belonging is None else kept(self.belonging))

    def count(self) -> int:
        """How many there are, of both kinds."""
        return self.all().count()

    def all(self) -> DataFrame:
        """Hops and belonging alike, as `source_id`, `target_id`."""
        if self.belonging is None:
            return self.hops
        belonging = self.belonging.withColumnsRenamed({"row_set_id": "source_id", "column_id": "target_id"})
        return self.hops.unionByName(belonging)


def edges(columns: DataFrame, relations: DataFrame, influence: bool = False, keys: bool = False) -> Edges:
    """The edges of a snapshot: data flow always; influence and referenced keys if asked for."""
    followed = [DATA, *([INFLUENCE] if influence else []), *([KEYS] if keys else [])]
    hops = layered(columns, relations).where(f.col("layer").isin(followed)).select("source_id", "target_id").distinct()
    return Edges(hops, belonging(columns) if influence else None)


def layered(columns: DataFrame, relations: DataFrame) -> DataFrame:
    """All that is next to each other, and in which layer: `source_id`, `target_id`, `layer`."""
    stated = relations.select("source_id", "target_id", _layer().alias("layer"))
    fields = field_relations(columns, relations).withColumn("layer", f.lit(DATA))
    return stated.unionByName(fields).where("source_id != target_id")


def belonging(columns: DataFrame) -> DataFrame:
    """The columns of each row set: `row_set_id`, `column_id`."""
    rows = columns.where("row_set").select("entity_id", f.col("column_id").alias("row_set_id"))
    own = columns.select("entity_id", "column_id")
    return rows.join(own, "entity_id").where("row_set_id != column_id").select("row_set_id", "column_id")


def between_tables(pairs: DataFrame, columns: DataFrame) -> DataFrame:
    """Pairs of columns (`source_id`, `target_id`, and what else there is) with the ids of their tables instead; none within a table."""
    owner = columns.select(f.col("column_id"), f.col("entity_id"))
    sources = owner.withColumnsRenamed({"column_id": "source_id", "entity_id": "source_entity"})
    targets = owner.withColumnsRenamed({"column_id": "target_id", "entity_id": "target_entity"})
    joined = pairs.join(sources, "source_id").join(targets, "target_id").drop("source_id", "target_id")
    named = joined.withColumnsRenamed({"source_entity": "source_id", "target_entity": "target_id"})
    return named.where("source_id != target_id")


def _layer() -> Column:
    key = f.coalesce(f.col("clause"), f.lit("")) == FOREIGN_KEY
    return f.when(key, KEYS).when(f.col("type") == FDD, DATA).otherwise(INFLUENCE)
