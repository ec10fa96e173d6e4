"""What Spark users import: lineage of SQL in a DataFrame, a query or files, lineage of running jobs, and work on a whole store's graph.

    from headwater.spark import WholeGraph, capture, lineage_of, register

    lineage_of(spark.table("query_log"), sql="query_text", keep=["query_id"])

    register(spark)
    spark.sql("SELECT q.id, l.* FROM query_log q, LATERAL column_lineage(q.sql) l")
    spark.read.format("headwater").option("dialect", "hive").load("sql/")

    with capture(spark, sink="lineage_captured/"):
        spark.table("orders").groupBy("day").count().write.saveAsTable("mart.days")

    WholeGraph(spark, "lineage/").closure(depth=3)

Each text is analysed by itself; what texts define for each other is the business of `headwater build`,
whose stores `WholeGraph` reads.
"""

from headwater.spark.capturing import Capture, NotCapturable, capture
from headwater.spark.data_source import HeadwaterSource
from headwater.spark.frame import lineage_of
from headwater.spark.table_function import register
from headwater.spark.whole import TooManyPairs, WholeGraph

__all__ = [
    "Capture",
    "HeadwaterSource",
    "NotCapturable",
    "TooManyPairs",
    "WholeGraph",
    "capture",
    "lineage_of",
    "register",
]
