"""One round of extraction: units to records, stage by stage.

A stage's tasks need only definitions of earlier stages. What was analysed before, in the build before this one or in the round before this
one, stands if its text is the same and nothing that it needs may have changed; where that is not sure, it is looked at again, and stands if
the tables that it asked for have the same definitions now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from headwater.pipeline.chosen import chosen
from headwater.pipeline.extract import DONE, extractor
from headwater.pipeline.options import Options
from headwater.pipeline.order import downstream, order
from headwater.pipeline.piece_texts import PieceTexts
from headwater.pipeline.records import SCHEMA
from headwater.pipeline.standing_files import Standing, among, put_together
from headwater.pipeline.state import State, after, needs_of, same_needs, same_text
from headwater.pipeline.task_files import BEFORE, MADE, TaskFiles
from headwater.pipeline.units import Flags, Ids, Pieces, Units
from headwater.runtime.arrow_ddl import ddl

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

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
_BLOCK = 2**18
"""Bytes of units after which a file goes on in a new block: a task reads only the blocks in which its units are."""
_FEW = 50
"""Units whose records are not worth a file."""
_LITTLE = 400
"""Units that are not worth more than one task to hand them out."""
_ASKED = "array<struct<table_id: bigint, digest: bigint>>"


@dataclass(frozen=True, slots=True)
class Extracted:
    """The records of all units, as files in a folder, and their state."""

    records: Path
    state: State


class Round:
    """A round: which units need which, what was made before, and where its files lie."""

    def __init__(
        self,
        spark: SparkSession,
        pieces: Pieces,
        units: Units,
        user: Ids,
        definer: Ids,
        before: Extracted | None,
        folder: Path,
    ) -> None:
        self._spark = spark
        self._pieces = pieces
        self._units = units
        self._user = user
        self._definer = definer
        self._before = before
        self._files = TaskFiles(folder)
        self._needs = needs_of(units, user, definer)
        self._same = same_text(before.state if before else None, pieces, units)
        self._wanted = self._to_look_at()
        self._order = order(user, definer, self._wanted, self._cores)
        self.circles = len(self._order.circles)
        self.fresh: Ids = np.zeros(0, np.int64)
        """The units that were analysed in this round; the analysis of all others stands."""

    @property
    def _cores(self) -> int:
        return max(self._spark.sparkContext.defaultParallelism, 1)

    def _to_look_at(self) -> Flags:
        """Units that are new, or need others than before, or need such."""
        if self._before is None:
            return np.ones(len(self._units.ids), bool)
        known = self._same & same_needs(self._before.state, self._units, self._needs)
        return downstream(self._user, self._definer, ~known)

    def run(self, texts: PieceTexts, options: Options, tell: Callable[[float], None]) -> Extracted:
        """Analyse all units whose earlier analysis does not surely stand."""
        self._files.create()
        if self._wanted.any():
            self._hand_over()
            self._hand_out(texts)
            self._run_stages(options, tell)
        made = self._files.read_made([name for name in MADE.names if name != "contents"])
        state = after(made, self._before.state if self._before else None, self._pieces, self._units, self._needs)
        return Extracted(self._put_together(made), state)

    def _hand_over(self) -> None:
        """Write down the definitions of units that stand, as far as others need them."""
        from pyspark.sql import functions as f

        wanted = self._wanted
        standing = np.unique(self._definer[wanted[self._user] & ~wanted[self._definer]])
        if self._before is None or not len(standing):
            self._files.write_made(BEFORE, MADE.empty_table())
            return
        nothing = f.array().cast("array<bigint>")
        columns = (f.col("unit_id"), f.lit(True), _contents(), nothing, nothing, nothing, f.lit(False))
        rows = chosen(self._read(self._before.records), "unit_id", self._units.ids[standing])
        made = rows.select(*(c.alias(name) for c, name in zip(columns, MADE.names, strict=True)))
        made.coalesce(1).mapInArrow(_writer(self._files), ddl(DONE)).collect()

    def _read(self, folder: Path) -> DataFrame:
        return self._spark.read.schema(ddl(SCHEMA)).parquet(str(folder))

    def _hand_out(self, texts: PieceTexts) -> None:
        """Write each task's units where it finds them."""
        pieces = texts.of(np.unique(self._pieces.script[self._units.first[self._wanted]]))
        placed = self._placed()
        if little := np.count_nonzero(self._wanted) <= _LITTLE:  # one task, without exchanges
            placed, pieces = placed.coalesce(1), pieces.coalesce(1).hint("merge")
        units = self._compared(placed.join(pieces, ["script_id", "ordinal"])).drop("script_id", "ordinal")
        (
            (units.coalesce(1) if little else units.repartition(2 * self._cores, "task"))
            .sortWithinPartitions("task", "level", "unit_id")
            .write.option("parquet.block.size", _BLOCK)
            .parquet(str(self._files.units))
        )

    def _placed(self) -> DataFrame:
        """The units to look at, with their first piece, their task and what they need."""
        pieces, units = self._pieces, self._units
        script = pieces.script[units.first]
        counts = np.bincount(self._user, minlength=len(units.ids))
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        by_user = self._definer[np.argsort(self._user, kind="stable")]
        columns = [
            *(script, pieces.ordinal[units.first], units.ids, np.where(units.scoped, script, 0)),
            *(self._order.tasks, self._order.levels),
            pa.ListArray.from_arrays(offsets, pa.array(units.ids[by_user])),
            pa.ListArray.from_arrays(offsets, pa.array(self._order.tasks[by_user])),
        ]
        arrays = [pa.array(c).cast(f.type) for c, f in zip(columns, _PLACED, strict=True)]
        path = self._files.folder / "placed.parquet"
        pq.write_table(pa.Table.from_arrays(arrays, schema=_PLACED).filter(pa.array(self._wanted)), path)
        return self._spark.read.schema(ddl(_PLACED)).parquet(str(path))

    def _compared(self, units: DataFrame) -> DataFrame:
        """Units with what an earlier analysis of them asked for and defined, if it was of the same text to the last literal."""
        from pyspark.sql import functions as f

        again = self._units.ids[self._wanted & self._same]
        if self._before is None or not len(again):
            nothing = f.lit(None)
            return units.withColumn("asked_before", nothing.cast(_ASKED)).withColumn(
                "defined_before", nothing.cast("array<string>")
            )
        asked = f.col("asked").alias("asked_before")
        before = chosen(self._read(self._before.records), "unit_id", again)
        return units.join(before.select("unit_id", asked, _contents().alias("defined_before")), "unit_id", "left")

    def _run_stages(self, options: Options, tell: Callable[[float], None]) -> None:
        done = 0
        for stage in self._order.stages:
            tasks = self._spark.range(stage.start, stage.stop, 1, len(stage))
            rows = tasks.mapInArrow(extractor(options, self._files), ddl(DONE)).collect()
            done += sum(row["units"] for row in rows)
            tell(done / int(self._wanted.sum()))

    def _put_together(self, made: pa.Table) -> Path:
        """The folder with the records of all units: those of this round, and those that stand."""
        self.fresh = made.filter(pc.invert(made.column("reused"))).column("unit_id").to_numpy()
        if self._before is None:
            return self._files.records
        together = self._files.folder / "together"
        standing = Standing(SCHEMA, "unit_id", among(np.setdiff1d(self._units.ids, self.fresh)), _FEW)
        put_together(self._files.records, self._before.records, standing, together)
        return together


def _contents() -> Column:
    """The definitions that a unit hands on."""
    from pyspark.sql import functions as f

    return f.filter("definitions.content", lambda content: content != "")


def _writer(files: TaskFiles) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Writes what was made before where tasks find it."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        made = pa.concat_tables([MADE.empty_table(), *(pa.table(batch).cast(MADE) for batch in batches)])
        files.write_made(BEFORE, made)
        yield pa.RecordBatch.from_pylist([{"task": BEFORE, "units": len(made)}], schema=DONE)

    return run
