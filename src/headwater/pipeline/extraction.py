"""All units to records: stage by stage, until nothing changes any more.

A stage's tasks need only definitions of earlier stages. What was analysed before, in the build before this one or in the round before this
one, stands if its text is the same and nothing that it needs may have changed; where that is not sure, it is looked at again, and stands if
the tables that it asked for have the same definitions now. A round ends with a look for tables that a unit asked for and that another unit
turned out to define although its text did not look like it; if there are such, the next round knows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from headwater.pipeline.arrow_ddl import ddl
from headwater.pipeline.extract import DONE, extractor
from headwater.pipeline.options import Options
from headwater.pipeline.order import Order, downstream, order
from headwater.pipeline.record_files import put_together
from headwater.pipeline.records import SCHEMA
from headwater.pipeline.state import State, after, needs_of, same_needs, same_text
from headwater.pipeline.task_files import BEFORE, MADE, TaskFiles
from headwater.pipeline.units import Flags, Ids, Pieces, Units, distinct_pairs

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
        ("known", pa.bool_()),
        ("task", pa.int32()),
        ("level", pa.int32()),
        ("requires", pa.list_(pa.int64())),
        ("required_tasks", pa.list_(pa.int32())),
    ]
)
_ASKED = "array<struct<table_id: bigint, digest: bigint>>"


@dataclass(frozen=True, slots=True)
class Extracted:
    """The records of all units, as files in a folder, and their state."""

    records: Path
    state: State


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
        self._standing = 0
        self.reused = 0
        """Units whose analysis in the build before this one stands."""
        self.circles = 0

    def run(self, user: Ids, definer: Ids, before: Extracted | None) -> Extracted:
        """Extract all units, of which some need others; *before* is what the build before this one has."""
        for number in range(_ROUNDS):
            files = TaskFiles(self._work / f"round-{number}")
            found = self._round(user, definer, before, files)
            if number == 0:
                self.reused = self._standing
            others, defining = self._surprising(found.state)
            pairs = np.concatenate([user, others]), np.concatenate([definer, defining])
            known = distinct_pairs(*pairs, len(self._units.ids))
            if len(known[0]) == len(user):
                break
            (user, definer), before = known, found
        return found

    def _round(self, user: Ids, definer: Ids, before: Extracted | None, files: TaskFiles) -> Extracted:
        """Analyse all units whose earlier analysis does not surely stand."""
        files.create()
        needs = needs_of(self._units, user, definer)
        wanted = self._wanted(user, definer, before, needs)
        planned = order(user, definer, wanted, self._cores)
        self.circles = len(planned.circles)
        if wanted.any():
            self._hand_over(user, definer, wanted, before, files)
            self._hand_out(self._placed(planned, user, definer, wanted, before, files), before, files)
            self._stages(planned, int(wanted.sum()), files)
        made = files.read_made([name for name in MADE.names if name != "contents"])
        state = after(made, before.state if before else None, self._pieces, self._units, needs)
        return Extracted(self._together(made, before, files), state)

    @property
    def _cores(self) -> int:
        return max(self._spark.sparkContext.defaultParallelism, 1)

    def _wanted(self, user: Ids, definer: Ids, before: Extracted | None, needs: Ids) -> Flags:
        """Units that have to be looked at: new ones, those that need others than before, and all that need such."""
        if before is None:
            return np.ones(len(self._units.ids), bool)
        known = same_text(before.state, self._pieces, self._units) & same_needs(before.state, self._units, needs)
        return downstream(user, definer, ~known)

    def _hand_over(self, user: Ids, definer: Ids, wanted: Flags, before: Extracted | None, files: TaskFiles) -> None:
        """Write down the definitions of units that stand, as far as others need them."""
        from pyspark.sql import functions as f

        standing = np.unique(definer[wanted[user] & ~wanted[definer]])
        made = MADE.empty_table()
        if len(standing) and before is not None:
            ids = self._spark.createDataFrame(pa.table({"unit_id": self._units.ids[standing]}), "unit_id bigint")
            contents = f.filter("definitions.content", lambda content: content != "")
            nothing = f.array().cast("array<bigint>")
            columns = (f.col("unit_id"), f.lit(True), contents, nothing, nothing, f.lit(False))
            rows = self._read(before.records).join(f.broadcast(ids), "unit_id", "left_semi")
            made = rows.select(*(c.alias(name) for c, name in zip(columns, MADE.names, strict=True))).toArrow()
        files.write_made(BEFORE, made.cast(MADE))

    def _read(self, folder: Path) -> DataFrame:
        return self._spark.read.schema(ddl(SCHEMA)).parquet(str(folder))

    def _stages(self, planned: Order, count: int, files: TaskFiles) -> None:
        done = 0
        for stage in planned.stages:
            tasks = self._spark.range(stage.start, stage.stop, 1, len(stage))
            rows = tasks.mapInArrow(extractor(self._options, files), ddl(DONE)).collect()
            done += sum(row["units"] for row in rows)
            self._tell(done / count)

    def _placed(
        self,
        planned: Order,
        user: Ids,
        definer: Ids,
        wanted: Flags,
        before: Extracted | None,
        files: TaskFiles,
    ) -> DataFrame:
        """The wanted units with their first piece, their task and what they need."""
        pieces, units = self._pieces, self._units
        script = pieces.script[units.first]
        offsets = np.concatenate([[0], np.cumsum(np.bincount(user, minlength=len(units.ids)))]).astype(np.int32)
        by_user = definer[np.argsort(user, kind="stable")]
        columns = [
            *(script, pieces.ordinal[units.first], units.ids, np.where(units.scoped, script, 0)),
            *(same_text(before.state if before else None, pieces, units), planned.tasks, planned.levels),
            pa.ListArray.from_arrays(offsets, pa.array(units.ids[by_user])),
            pa.ListArray.from_arrays(offsets, pa.array(planned.tasks[by_user])),
        ]
        arrays = [pa.array(c).cast(f.type) for c, f in zip(columns, _PLACED, strict=True)]
        path = files.folder / "placed.parquet"
        pq.write_table(pa.Table.from_arrays(arrays, schema=_PLACED).filter(pa.array(wanted)), path)
        return self._spark.read.schema(ddl(_PLACED)).parquet(str(path))

    def _hand_out(self, placed: DataFrame, before: Extracted | None, files: TaskFiles) -> None:
        """Write each task's units where it finds them."""
        from pyspark.sql import functions as f

        kept = ["ordinal", "raw", "readable", "default_schema"]
        flat = self._split.select("script_id", "dialect", "schema", f.explode("pieces").alias("piece"))
        pieces = flat.select("script_id", "dialect", "schema", *(f"piece.{name}" for name in kept))
        units = self._compared(placed.join(pieces, ["script_id", "ordinal"]), before)
        (
            units.drop("script_id", "ordinal", "known")
            .repartition(2 * self._cores, "task")
            .sortWithinPartitions("task", "level", "unit_id")
            .write.partitionBy("task")
            .parquet(str(files.units))
        )

    def _compared(self, units: DataFrame, before: Extracted | None) -> DataFrame:
        """Units with what an earlier analysis of them asked for and defined, if it was of the same text to the last literal."""
        from pyspark.sql import functions as f

        if before is None:
            nothing = f.lit(None)
            return units.withColumn("asked_before", nothing.cast(_ASKED)).withColumn(
                "defined_before", nothing.cast("array<string>")
            )
        contents = f.filter("definitions.content", lambda content: content != "")
        known = self._read(before.records).select(
            "unit_id", f.col("asked").alias("asked_before"), contents.alias("defined_before")
        )
        asked = f.when(f.col("known"), f.col("asked_before"))
        return units.join(known, "unit_id", "left").withColumn("asked_before", asked)

    def _together(self, made: pa.Table, before: Extracted | None, files: TaskFiles) -> Path:
        """The folder with the records of all units: those of this round, and those that stand."""
        fresh = made.filter(pc.invert(made.column("reused"))).column("unit_id").to_numpy()
        self._standing = len(self._units.ids) - len(fresh)
        if before is None:
            return files.records
        together = files.folder / "together"
        put_together(files.records, before.records, np.setdiff1d(self._units.ids, fresh), together)
        return together

    def _surprising(self, state: State) -> tuple[Ids, Ids]:
        """Units that asked for a table in vain which another unit defines; and these others, of several the last."""
        definer, table = state.pairs("tables", self._units)
        by_place = np.argsort(-self._units.first[definer], kind="stable")
        tables, last = np.unique(table[by_place], return_index=True)
        user, wanted = state.pairs("in_vain", self._units)
        if not len(tables) or not len(wanted):
            return user[:0], user[:0]
        at = np.minimum(np.searchsorted(tables, wanted), len(tables) - 1)
        found = definer[by_place][last[at]]
        right = (tables[at] == wanted) & (found != user)
        return user[right], found[right]
