"""`WholeGraph`: what can be asked of all columns of a store together, on Spark."""

from __future__ import annotations

import os
from typing import Literal

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from headwater.spark.whole import closure as closures
from headwater.spark.whole import components as connected
from headwater.spark.whole import degree as degrees
from headwater.spark.whole.edges import Edges, between_tables, edges, layered
from headwater.spark.whole.limit import LIMIT_PAIRS
from headwater.spark.whole.names import column_names, named, named_pairs, table_names
from headwater.spark.whole.rounds import Tell
from headwater.spark.whole.tables import tables_of
from headwater.store import Store

FlowName = Literal["data", "impact"]
Level = Literal["column", "table"]


class WholeGraph:
    """The lineage of a store's snapshot, as DataFrames of a session.

    Rounds are kept in the session's checkpoint folder, if it has one (`spark.sparkContext.setCheckpointDir`), else with its executors.
    """

    def __init__(self, spark: SparkSession, path: str | os.PathLike[str], as_of: str | None = None) -> None:
        self.snapshot = Store(path, spark).snapshot(as_of)
        self._tables = tables_of(spark, self.snapshot)

    def __repr__(self) -> str:
        return f"<WholeGraph {self.snapshot.name}>"

    def closure(
        self,
        flow: FlowName = "data",
        depth: int | None = None,
        *,
        level: Level = "column",
        foreign_keys: bool = False,
        names: bool = False,
        limit_pairs: int = LIMIT_PAIRS,
        tell: Tell | None = None,
    ) -> DataFrame:
        """All pairs with a way from one to the other: `source_id`, `target_id`, `hops`; with *names* also those of both ends.

        Row sets are columns too. Between tables: from any column of one to any of another, and the fewest hops. `TooManyPairs` is raised
        if there are more than *limit_pairs* pairs of columns.
        """
        found = closures.closure(self._edges(flow, foreign_keys), depth, limit_pairs, tell=tell)
        if _is_table(level):
            ends = between_tables(found, self._tables.columns)
            found = ends.groupBy("source_id", "target_id").agg(f.min("hops").alias("hops"))
        return named_pairs(found, self._names(level)) if names else found

    def components(self, flow: FlowName = "data", *, level: Level = "column", foreign_keys: bool = False) -> DataFrame:
        """What hangs together: `column_id`, `table_name`, `column_name`, `component_id`, or `entity_id`, `table_name`, `component_id`.

        Every column is in one component, which has the least id in it. Row sets are listed where something that is followed leads to them.
        """
        hanging = self._edges(flow, foreign_keys).all()
        if _is_table(level):
            nodes, hanging = self._nodes(level), between_tables(hanging, self._tables.columns)
        else:
            ends = hanging.select(f.col("source_id").alias("id")).unionAll(hanging.select("target_id"))
            plain = self._tables.columns.where("not row_set").select(f.col("column_id").alias("id"))
            nodes = plain.unionAll(ends).distinct()
        return self._named(connected.components(nodes, hanging), level)

    def component_sizes(
        self, flow: FlowName = "data", *, level: Level = "column", foreign_keys: bool = False
    ) -> DataFrame:
        """How great the components are, greatest first: `component_id`, `size`, and the names of its member of that id."""
        sizes = connected.sizes(self.components(flow, level=level, foreign_keys=foreign_keys))
        shown = named(sizes.withColumnRenamed("component_id", "id"), self._names(level), "component_id")
        return shown.orderBy(f.desc("size"), "component_id")

    def degree(self, *, level: Level = "column", hubs: int | None = None) -> DataFrame:
        """How many others each is made of and read by: `in_data`, `in_influence`, `in_keys`, `out_data`, …, and `neighbours` in all.

        Before them stand id and names, as in `components`. With *hubs*, only so many with the most neighbours, these first.
        """
        met = layered(self._tables.columns, self._tables.relations)
        if _is_table(level):
            met = between_tables(met, self._tables.columns)
        found = degrees.degree(self._nodes(level), met)
        if hubs is None:
            return self._named(found, level)
        shown = self._named(degrees.hubs(found, hubs), level)
        return shown.orderBy(f.desc("neighbours"), shown.columns[0])

    def _edges(self, flow: FlowName, foreign_keys: bool) -> Edges:
        if flow not in ("data", "impact"):
            raise ValueError(f"flow is 'data' or 'impact', not {flow!r}")
        return edges(self._tables.columns, self._tables.relations, flow == "impact", foreign_keys)

    def _nodes(self, level: Level) -> DataFrame:
        return self._names(level).select("id")

    def _names(self, level: Level) -> DataFrame:
        return table_names(self._tables) if _is_table(level) else column_names(self._tables)

    def _named(self, found: DataFrame, level: Level) -> DataFrame:
        return named(found, self._names(level), "entity_id" if _is_table(level) else "column_id")


def _is_table(level: Level) -> bool:
    if level not in ("column", "table"):
        raise ValueError(f"level is 'column' or 'table', not {level!r}")
    return level == "table"
