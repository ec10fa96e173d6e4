"""A closure in rounds of joins, for edges that are too many for one process.

All sources at once, hop by hop, until nothing new comes. Rows lie with their source, so that a pair that is there already is found where it
lies. What is new in a round is kept, and the rounds together are the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from headwater.spark.whole.edges import Edges
from headwater.spark.whole.keeping import kept
from headwater.spark.whole.limit import TooManyPairs

_SOURCES_TOGETHER = 5_000
"""Sources whose pairs lie together."""

Tell = Callable[[str], None]


class Rounds:
    """A closure under way."""

    def __init__(self, edges: Edges, limit: int, tell: Tell) -> None:
        """*edges* are kept ones."""
        self._hops = edges.hops
        self._members = None if edges.belonging is None else kept(_members(edges.belonging))
        self._limit = limit
        self._tell = tell
        sources = kept(self._sources())
        partitions = sources.sparkSession.conf.get("spark.sql.shuffle.partitions") or "1"
        self._partitions = max(int(partitions), sources.count() // _SOURCES_TOGETHER)
        self._widest = _greatest(self._stepped(sources).groupBy("source_id").count(), "count")
        self._start = kept(self._together(self._with_members(sources)))

    def run(self, depth: int | None) -> DataFrame:
        """The pairs, round by round."""
        levels = [kept(self._start.where("source_id != target_id").withColumn("hops", f.lit(0)))]
        newest, found, pairs, hops = self._start, self._start.count(), levels[0].count(), 0
        while found and (depth is None or hops < depth):
            hops += 1
            if pairs + found * self._widest > self._limit:
                self._look_ahead(newest, hops)
            newest = kept(self._new(levels, newest, hops))
            found = newest.count()
            levels.append(newest)
            pairs += found
            self._tell(f"{hops} hops, {pairs:,} pairs")
            if pairs > self._limit:
                raise TooManyPairs(pairs, self._limit, hops)
        return reduce(DataFrame.unionAll, levels)

    def _sources(self) -> DataFrame:
        """What ways begin with: each with itself, as a pair."""
        own = self._hops.select("source_id")
        if self._members is not None:
            own = own.unionAll(self._members.select(f.col("row_set_id").alias("source_id")))
        return own.distinct().select("source_id", f.col("source_id").alias("target_id"))

    def _new(self, levels: list[DataFrame], newest: DataFrame, hops: int) -> DataFrame:
        """The pairs that are one hop behind the newest, and not there yet."""
        stepped = self._stepped(newest.select("source_id", "target_id")).where("source_id != target_id")
        reached = self._together(stepped).withColumn("hops", f.lit(hops))
        seen = reduce(DataFrame.unionAll, [*levels, reached])
        nearest = seen.groupBy("source_id", "target_id").agg(f.min("hops").alias("hops"))
        return nearest.where(f.col("hops") == hops)

    def _stepped(self, frame: DataFrame) -> DataFrame:
        """The frame with, instead of each `target_id`, all that is one hop behind it."""
        hops = self._hops.select(f.col("source_id").alias("from_id"), f.col("target_id").alias("to_id"))
        joined = frame.join(hops, frame.target_id == hops.from_id).drop("target_id", "from_id")
        return self._with_members(joined.withColumnRenamed("to_id", "target_id"))

    def _with_members(self, frame: DataFrame) -> DataFrame:
        """The frame with, besides each `target_id`, the columns of that row set if it is one."""
        if self._members is None:
            return frame
        joined = frame.join(self._members, frame.target_id == self._members.row_set_id, "left")
        all_of_it = f.concat(f.array("target_id"), f.coalesce("members", f.array().cast("array<bigint>")))
        kept_beside = [name for name in frame.columns if name != "target_id"]
        return joined.select(*kept_beside, f.explode(all_of_it).alias("target_id"))

    def _together(self, pairs: DataFrame) -> DataFrame:
        return pairs.repartition(self._partitions, "source_id")

    def _look_ahead(self, newest: DataFrame, hops: int) -> None:
        """Refuse a round that would go far beyond the limit, before it is made.

        What is behind a column is reached from all that reaches the column, itself perhaps excepted: a hub with a hundred thousand
        columns before it and as many behind makes ten thousand million pairs in one round.
        """
        before = newest.groupBy("target_id").agg(f.count("*").alias("sources"))
        behind = self._stepped(before).groupBy("target_id").agg((f.max("sources") - 1).alias("sources"))
        foreseen = _total(behind, "sources")
        if foreseen > self._limit:
            raise TooManyPairs(foreseen, self._limit, hops)


def _greatest(frame: DataFrame, column: str) -> int:
    row = frame.agg(f.max(column)).first()
    return int((row and row[0]) or 0)


def _total(frame: DataFrame, column: str) -> int:
    row = frame.agg(f.sum(column)).first()
    return int((row and row[0]) or 0)


def _members(belonging: DataFrame) -> DataFrame:
    """The columns of each row set in one row: `row_set_id`, `members`."""
    return belonging.groupBy("row_set_id").agg(f.collect_list("column_id").alias("members"))
