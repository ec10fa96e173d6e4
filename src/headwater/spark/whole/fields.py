"""Fields of struct columns: the relations between a column and its parts that no statement made, as `headwater.graph.fields` has them."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f


def field_relations(columns: DataFrame, relations: DataFrame) -> DataFrame:
    """`source_id`, `target_id`: from the whole to each part, and from a part that is written to the whole."""
    pairs = _pairs(columns)
    reading = pairs.select(f.col("whole_id").alias("source_id"), f.col("part_id").alias("target_id"))
    writing = pairs.select(f.col("part_id").alias("source_id"), f.col("whole_id").alias("target_id"))
    written = relations.select(f.col("target_id").alias("source_id")).distinct()
    return reading.unionByName(writing.join(written, "source_id", "left_semi"))


def _pairs(columns: DataFrame) -> DataFrame:
    """Each field (`part_id`) with the nearest column that it is a part of (`whole_id`)."""
    fields = columns.where(f.contains("name", f.lit("."))).select(
        "entity_id", f.col("column_id").alias("part_id"), f.explode(_outer_names()).alias("name")
    )
    wholes = columns.select("entity_id", "name", f.col("column_id").alias("whole_id"))
    nearest = f.max(f.struct(f.length("name"), "whole_id")).alias("nearest")
    return (
        fields.join(wholes, ["entity_id", "name"]).groupBy("part_id").agg(nearest).select("part_id", "nearest.whole_id")
    )


def _outer_names() -> Column:
    """The names of what `a.b.c` may be a part of: `a.b` and `a`."""
    parts = f.split("name", r"\.")
    ends = f.sequence(f.lit(1), f.size(parts) - 1)
    names = f.transform(ends, lambda end: f.array_join(f.slice(parts, 1, end), "."))
    return f.filter(names, lambda name: name != "")
