"""All units to records: stage by stage, until nothing changes any more.

A stage's tasks need only definitions of earlier stages. What was analysed before, in the build before this one or in the round before this
one, is looked at again only if a table that it asked for has another definition now. A round ends with a look for tables that a unit asked
for and that another unit turned out to define although its text did not look like it; if there are such, the next round knows.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from headwater.pipeline.arrow_ddl import ddl
from headwater.pipeline.extract import DONE, extractor
from headwater.pipeline.options import Options
from headwater.pipeline.order import Order, order
from headwater.pipeline.records import SCHEMA
from headwater.pipeline.task_files import TaskFiles
from headwater.pipeline.units import Ids, Pieces, Units, distinct_pairs

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ROUNDS = 20
"""Rounds after which what still changes is left as it is."""
_PLACED = pa.schema(
    [
        ("script_id", pa.int64()),
        ("ordinal", pa.int32()),
        ("unit_id", pa.int64()),
        ("scope_id", pa.int64()),
        ("task", pa.int32()),
        ("level", pa.int32()),
        ("requires", pa.list_(pa.int64())),
        ("required_tasks", pa.list_(pa.int32())),
    ]
)


class Extraction:
    """The extraction of one build."""

    def __init__(
        self,
        spark: SparkSession,
        options: Options,
        split: DataFrame,
        pieces: Pieces,
        units: Units,
        work: Path,
        tell: Callable[[float], None],
    ) -> None:
        self._spark = spark
        self._options = options
        self._split = split
        self._pieces = pieces
        self._units = units
        self._work = work
        self._tell = tell
        self.reused = 0
        self.circles = 0

    def run(self, user: Ids, definer: Ids, earlier: DataFrame | None) -> DataFrame:
        """The records of all units, of which some need others; *earlier* are those of the build before."""
        for number in range(_ROUNDS):
            files = TaskFiles(self._work / f"round-{number}")
            found = order(len(self._units.ids), user, definer, self._cores)
            reused = self._round(found, user, definer, earlier, files)
            records = self._whole(self._spark.read.schema(ddl(SCHEMA)).parquet(str(files.records)), earlier)
            if number == 0:
                self.reused = reused
            self.circles = len(found.circles)
            others, defining = self._surprising(records)
            pairs = np.concatenate([user, others]), np.concatenate([definer, defining])
            known = distinct_pairs(*pairs, len(self._units.ids))
            if len(known[0]) == len(user):
                break
            (user, definer), earlier = known, records
        return records

    @property
    def _cores(self) -> int:
        return max(self._spark.sparkContext.defaultParallelism, 1)

    def _round(self, found: Order, user: Ids, definer: Ids, earlier: DataFrame | None, files: TaskFiles) -> int:
        """Analyse all units in their order; says how many earlier analyses stand."""
        files.create()
        if not len(self._units.ids):
            pq.write_table(SCHEMA.empty_table(), files.records / "0.parquet")
            return 0
        self._hand_out(self._placed(found, user, definer, files), earlier, files)
        done = reused = 0
        for stage in found.stages:
            tasks = self._spark.range(stage.start, stage.stop, 1, len(stage))
            for row in tasks.mapInArrow(extractor(self._options, files), ddl(DONE)).collect():
                done += row["units"]
                reused += row["reused"]
            self._tell(done / len(self._units.ids))
        return reused

    def _placed(self, found: Order, user: Ids, definer: Ids, files: TaskFiles) -> DataFrame:
        """Units with their first piece, their task and what they need."""
        pieces, units = self._pieces, self._units
        script = pieces.script[units.first]
        counts = np.bincount(user, minlength=len(units.ids))
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        by_user = definer[np.argsort(user, kind="stable")]
        columns = [
            *(script, pieces.ordinal[units.first], units.ids),
            *(np.where(units.scoped, script, 0), found.tasks, found.levels),
            pa.ListArray.from_arrays(offsets, pa.array(units.ids[by_user])),
            pa.ListArray.from_arrays(offsets, pa.array(found.tasks[by_user])),
        ]
        arrays = [pa.array(c).cast(f.type) for c, f in zip(columns, _PLACED, strict=True)]
        path = files.folder / "placed.parquet"
        pq.write_table(pa.Table.from_arrays(arrays, schema=_PLACED), path)
        return self._spark.read.schema(ddl(_PLACED)).parquet(str(path))

    def _hand_out(self, placed: DataFrame, earlier: DataFrame | None, files: TaskFiles) -> None:
        """Write each task's units where it finds them."""
        from pyspark.sql import functions as f

        kept = ["ordinal", "raw", "readable", "default_schema", "query_hash"]
        flat = self._split.select("script_id", "dialect", "schema", f.explode("pieces").alias("piece"))
        pieces = flat.select("script_id", "dialect", "schema", *(f"piece.{name}" for name in kept))
        units = self._compared(placed.join(pieces, ["script_id", "ordinal"]), earlier)
        (
            units.drop("script_id", "ordinal", "query_hash", "hash_before")
            .repartition(2 * self._cores, "task")
            .sortWithinPartitions("task", "level", "unit_id")
            .write.partitionBy("task")
            .parquet(str(files.units))
        )

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

    def _surprising(self, records: DataFrame) -> tuple[Ids, Ids]:
        """Units that asked for a table in vain which another unit defines; and these others."""
        from pyspark.sql import functions as f

        made = records.select("unit_id", f.explode("definitions").alias("each"))
        defined = made.where("each.content != '' and not each.temporary").select("unit_id", "each.table_id").toArrow()
        asked = records.select("unit_id", f.explode("asked").alias("each"), f.col("definitions.table_id").alias("own"))
        in_vain = asked.where("each.digest = 0 and each.table_id != 0 and not array_contains(own, each.table_id)")
        return self._paired(in_vain.select("unit_id", "each.table_id").toArrow(), defined)

    def _paired(self, asked: pa.Table, defined: pa.Table) -> tuple[Ids, Ids]:
        """Who asked, with who defines it: of several the last."""
        definer = np.searchsorted(self._units.ids, defined.column("unit_id").to_numpy())
        table = defined.column("table_id").to_numpy()
        by_place = np.argsort(-self._units.first[definer], kind="stable")
        tables, last = np.unique(table[by_place], return_index=True)
        user = np.searchsorted(self._units.ids, asked.column("unit_id").to_numpy())
        wanted = asked.column("table_id").to_numpy()
        if not len(tables) or not len(wanted):
            return user[:0], user[:0]
        at = np.minimum(np.searchsorted(tables, wanted), len(tables) - 1)
        found = definer[by_place][last[at]]
        right = (tables[at] == wanted) & (found != user)
        return user[right], found[right]
