"""What Spark users import: lineage of SQL that lies in a DataFrame, in a query, or in files; and work on the whole graph of a store.

    from headwater.spark import WholeGraph, lineage_of, register

    lineage_of(spark.table("query_log"), sql="query_text", keep=["query_id"])

    register(spark)
    spark.sql("SELECT q.id, l.* FROM query_log q, LATERAL column_lineage(q.sql) l")
    spark.read.format("headwater").option("dialect", "hive").load("sql/")

    WholeGraph(spark, "lineage/").closure(depth=3)

Each text is analysed by itself; what texts define for each other is the business of `headwater build`,
whose stores `WholeGraph` reads.
"""

from headwater.spark.data_source import HeadwaterSource
from headwater.spark.frame import lineage_of
from headwater.spark.table_function import register
from headwater.spark.whole import TooManyPairs, WholeGraph

__all__ = ["HeadwaterSource", "TooManyPairs", "WholeGraph", "lineage_of", "register"]
