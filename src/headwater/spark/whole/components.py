"""Connected components: what hangs together, whichever way data flows.

Small stars and large stars in turn (Kiveris and others, 2014): each node is hung on the least of its neighbours, first the greater ones of
each node, then the lesser ones, until every component is one star around its least member. That takes a few rounds, however long the ways.
"""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as f

from headwater.spark.whole.keeping import kept


def components(nodes: DataFrame, edges: DataFrame) -> DataFrame:
    """Each node of `id` with its component, `component_id`, which is the least id in it.

    *edges* are `source_id`, `target_id`; their ends are nodes. A node without edges is a component of its own.
    """
    stars = _stars(edges)
    hung = nodes.join(stars, nodes.id == stars.node, "left")
    return hung.select("id", f.coalesce("least", "id").alias("component_id"))


def sizes(found: DataFrame) -> DataFrame:
    """The size of each component: `component_id`, `size`, greatest first."""
    counted = found.groupBy("component_id").agg(f.count("*").alias("size"))
    return counted.orderBy(f.desc("size"), "component_id")


def _stars(edges: DataFrame) -> DataFrame:
    """Each node that is not the least of its component, and the least: `node`, `least`."""
    ends = f.greatest("source_id", "target_id").alias("node"), f.least("source_id", "target_id").alias("least")
    pairs = kept(edges.select(*ends).where("node != least").distinct())
    while not _are_stars(pairs):
        pairs = kept(_small_star(_large_star(pairs)))
    return pairs


def _large_star(pairs: DataFrame) -> DataFrame:
    """The greater neighbours of each node, hung on the least of all its neighbours and itself."""
    swapped = pairs.select(f.col("least").alias("node"), f.col("node").alias("other"))
    both = pairs.withColumnRenamed("least", "other").unionByName(swapped)
    least = f.least(f.min("other").over(Window.partitionBy("node")), "node")
    hung = both.withColumn("least", least).where("other > node")
    return hung.select(f.col("other").alias("node"), "least").distinct()


def _small_star(pairs: DataFrame) -> DataFrame:
    """The lesser neighbours of each node and itself, hung on the least of them."""
    least = pairs.withColumnRenamed("least", "other").withColumn(
        "least", f.min("other").over(Window.partitionBy("node"))
    )
    lesser = least.select(f.col("other").alias("node"), "least").where("node != least")
    return least.select("node", "least").unionByName(lesser).distinct()


def _are_stars(pairs: DataFrame) -> bool:
    """Whether every node hangs on one other, and no other hangs on anything."""
    twice = pairs.groupBy("node").count().where("count > 1")
    chained = pairs.join(pairs.select(f.col("node").alias("least")), "least", "left_semi")
    return twice.isEmpty() and chained.isEmpty()
