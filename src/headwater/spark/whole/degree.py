"""How many others each column, or table, is next to: on both sides, and by layer. What many hang on is a hub.

A number counts others, not relations: a column that ten statements read into the same target has one. What leads to itself does not count.
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from headwater.spark.whole.edges import LAYERS

SIDES = {"in": ("target_id", "source_id"), "out": ("source_id", "target_id")}
"""Whose number it is, and what is counted."""
COUNTS = tuple(f"{side}_{layer}" for side in SIDES for layer in LAYERS)


def degree(nodes: DataFrame, layered: DataFrame) -> DataFrame:
    """Each node of `id` with the numbers of its neighbours: `in_data`, …, `out_keys`, and `neighbours`, all of them, each once.

    *layered* are `source_id`, `target_id`, `layer`.
    """
    met = _met(layered)
    counted = met.groupBy("id").agg(
        *(_count(name).alias(name) for name in COUNTS), f.countDistinct("other").alias("neighbours")
    )
    numbers = (f.coalesce(name, f.lit(0)).cast("bigint").alias(name) for name in (*COUNTS, "neighbours"))
    return nodes.join(counted, "id", "left").select("id", *numbers)


def hubs(found: DataFrame, most: int) -> DataFrame:
    """Those with the most neighbours, first."""
    return found.orderBy(f.desc("neighbours"), "id").limit(most)


def _met(layered: DataFrame) -> DataFrame:
    """Who meets whom, and how: `id`, `other`, `how`, each once."""
    sides = [
        layered.select(
            f.col(own).alias("id"), f.col(other).alias("other"), f.concat(f.lit(f"{side}_"), "layer").alias("how")
        )
        for side, (own, other) in SIDES.items()
    ]
    return sides[0].unionByName(sides[1]).distinct()


def _count(name: str) -> Column:
    return f.count(f.when(f.col("how") == name, True))
