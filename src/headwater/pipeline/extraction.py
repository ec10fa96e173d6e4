"""All units to records: stage by stage, until nothing changes any more.

A stage's units need only definitions of earlier stages. Small levels in a row are one stage of a single task that goes through them in
order. What was analysed before, in the build before this one or in the round before this one, is looked at again only if a table that it
asked for has another definition now. A round ends with a look for tables that a unit asked for and that another unit turned out to
define although its text did not look like it; if there are such, the next round knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from headwater.pipeline.arrow_ddl import ddl
from headwater.pipeline.extract import extract
from headwater.pipeline.options import Options
from headwater.pipeline.order import Stages, stages
from headwater.pipeline.records import SCHEMA
from headwater.pipeline.units import PLACE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_FEW = 400
"""Units of a level below which it is joined with the levels after it, in one task."""
_PER_TASK = 1_000
"""Units in a task, at most: small enough that a slow one does not hold the others."""
_ROUNDS = 20
"""Rounds after which what still changes is left as it is."""


class Extraction:
    """The extraction of one build."""

    def __init__(
        self, spark: SparkSession, options: Options, units: DataFrame, work: Path, tell: Callable[[float], None]
    ) -> None:
        self._spark = spark
        self._options = options
        self._units = units
        self._total = units.count()
        self._work = work
        self._tell = tell
        self.reused = 0

    def run(self, required: DataFrame, before: Path | None) -> tuple[DataFrame, int]:
        """The records of all units, and how many circles there were; *before* holds those of an earlier build."""
        pairs = required.select("unit_id", "definer_id").toArrow()
        earlier = None if before is None or not before.is_dir() else self._read(before)
        for number in range(_ROUNDS):
            order = stages(pairs)
            records = self._round(pairs, order, earlier, self._work / f"round-{number}")
            if number == 0:
                self.reused = records.where("reused").count() if earlier is not None else 0
            whole = self._whole(records, earlier)
            surprising = self._surprising(whole)
            known = pa.concat_tables([pairs, surprising]).group_by(["unit_id", "definer_id"]).aggregate([])
            if len(known) == len(pairs):
                break
            pairs, earlier = known, whole
        return whole, len(order.circles)

    def _read(self, *folders: Path) -> DataFrame:
        return self._spark.read.schema(ddl(SCHEMA)).parquet(*map(str, folders))

    def _round(self, pairs: pa.Table, order: Stages, earlier: DataFrame | None, folder: Path) -> DataFrame:
        listed = self._spark.createDataFrame(
            pa.table({"unit_id": order.units, "level": order.levels.astype(np.int32)}), "unit_id bigint, level int"
        )
        required = self._spark.createDataFrame(pairs, "unit_id bigint, definer_id bigint")
        done = self._total - len(order.units)
        first = self._units.join(listed, "unit_id", "left_anti")
        self._stage(first, None, earlier, folder, 0, done, ordered=False)
        self._tell(done / max(self._total, 1))
        placed = self._units.join(listed, "unit_id")
        for number, (low, high, count) in enumerate(_grouped(order.levels), 1):
            here = placed.where(f"level between {low} and {high}")
            self._stage(here, required, earlier, folder, number, count, ordered=high > low)
            done += count
            self._tell(done / max(self._total, 1))
        return self._read(*sorted(folder.iterdir()))

    def _stage(
        self,
        units: DataFrame,
        required: DataFrame | None,
        earlier: DataFrame | None,
        folder: Path,
        number: int,
        count: int,
        ordered: bool,
    ) -> None:
        from pyspark.sql import functions as f

        if required is None:
            nothing = f.array().cast("array<bigint>"), f.array().cast("array<string>")
            given = units.withColumn("requires", nothing[0]).withColumn("given", nothing[1])
        else:
            given = self._given(units, required, earlier, folder)
        ready = self._compared(given, earlier)
        if ordered:
            ready = ready.repartition(1).sortWithinPartitions("level", "unit_id")
        else:
            ready = ready.repartition(max(self._spark.sparkContext.defaultParallelism, -(-count // _PER_TASK)))
        extract(ready, self._options).write.parquet(str(folder / f"stage-{number:04d}"))

    def _given(self, units: DataFrame, required: DataFrame, earlier: DataFrame | None, folder: Path) -> DataFrame:
        """Units with the definitions that they need, as far as these are made."""
        from pyspark.sql import functions as f

        made = self._whole(self._read(*sorted(folder.iterdir())), earlier)
        contents = made.select(f.col("unit_id").alias("definer_id"), f.explode("definitions.content").alias("content"))
        wanted = required.join(units.select("unit_id"), "unit_id", "left_semi")
        lists = (
            wanted.join(contents.where("content != ''"), "definer_id", "left")
            .groupBy("unit_id")
            .agg(
                f.array_sort(f.collect_set("definer_id")).alias("requires"),
                f.array_sort(f.collect_set("content")).alias("given"),
            )
        )
        return units.join(lists, "unit_id", "left")

    def _compared(self, units: DataFrame, earlier: DataFrame | None) -> DataFrame:
        """Units with what an earlier analysis of them asked for and defined, if it was of the same text to the last literal."""
        from pyspark.sql import functions as f

        if earlier is None:
            nothing = f.lit(None).cast("array<struct<table_id: bigint, digest: bigint>>")
            return units.withColumn("asked_before", nothing).withColumn(
                "defined_before", f.lit(None).cast("array<string>")
            )
        contents = f.filter("definitions.content", lambda content: content != "")
        first = f.when(f.size("statements") == 1, f.get("statements.query_hash", f.lit(0)))
        known = earlier.select(
            *("unit_id", f.col("asked").alias("asked_before"), contents.alias("defined_before")),
            first.alias("hash_before"),
        )
        same = f.coalesce(f.col("hash_before") == f.col("query_hash"), f.lit(True))
        return units.join(known, "unit_id", "left").withColumn("asked_before", f.when(same, f.col("asked_before")))

    def _whole(self, records: DataFrame, earlier: DataFrame | None) -> DataFrame:
        """Records with the earlier ones where these stand."""
        from pyspark.sql import functions as f

        if earlier is None:
            return records
        stand = records.where("reused").select("unit_id")
        old = earlier.join(stand, "unit_id", "left_semi").withColumn("reused", f.lit(False))
        return records.where("not reused").unionByName(old)

    def _surprising(self, records: DataFrame) -> pa.Table:
        """Units that asked for a table in vain which another unit defines."""
        from pyspark.sql import functions as f

        place = self._units.select("unit_id", f.struct(*PLACE).alias("place"))
        made = records.select("unit_id", f.explode("definitions").alias("each")).where(
            "each.content != '' and not each.temporary"
        )
        last = (
            made.join(place, "unit_id")
            .groupBy(f.col("each.table_id").alias("table_id"))
            .agg(f.max_by("unit_id", "place").alias("definer_id"))
        )
        asked = records.select("unit_id", f.explode("asked").alias("each"), f.col("definitions.table_id").alias("own"))
        in_vain = asked.where("each.digest = 0 and each.table_id != 0 and not array_contains(own, each.table_id)")
        found = in_vain.select("unit_id", "each.table_id").join(last, "table_id").where("unit_id != definer_id")
        return found.select("unit_id", "definer_id").distinct().toArrow()


def _grouped(levels: npt.NDArray[np.int32]) -> Iterator[tuple[int, int, int]]:
    """Stages from levels: first level, last level, number of units; levels of few units are joined with those after them."""
    counts = np.bincount(levels) if len(levels) else np.zeros(1, np.int64)
    level = 1
    while level < len(counts):
        last = level
        while last + 1 < len(counts) and counts[last] < _FEW and counts[last + 1] < _FEW:
            last += 1
        yield level, last, int(counts[level : last + 1].sum())
        level = last + 1
