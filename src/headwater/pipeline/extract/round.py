"""One round of extraction: units to records, stage by stage.

A stage's tasks need only definitions of earlier stages; the driver hands these on. What was analysed before, in the build before this one
or in the round before this one, is reused if its text is the same and nothing that it needs may have changed; where that is not sure, it is
looked at again, and reused if the tables that it asked for have the same definitions now.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.pipeline.exchange import Exchange, Saved
from headwater.pipeline.extract.extracted import Extracted
from headwater.pipeline.extract.handed_definitions import HandedDefinitions, definitions_in
from headwater.pipeline.extract.records import CHUNK, SCHEMAS
from headwater.pipeline.extract.task import MADE, UNIT, extractor
from headwater.pipeline.ids import Flags, Ids, Only
from headwater.pipeline.incremental.unit_memo import UnitMemo, memo_after, needs_of, same_text
from headwater.pipeline.options import Options
from headwater.pipeline.packed import FILE, Chunks, Superseded, unpack
from headwater.pipeline.plan.order import downstream, order
from headwater.pipeline.plan.slots import even_slots
from headwater.pipeline.plan.units import Pieces, Units, piece_ids
from headwater.runtime.arrow_ddl import ddl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PLACED = pa.schema(
    [
        ("piece_id", pa.int64()),
        ("stage", pa.int32()),
        ("slot", pa.int32()),
        *(UNIT.field(name) for name in ("task", "level", "unit_id", "scope_id", "requires")),
    ]
)
_HANDED_OUT = pa.schema([("stage", pa.int32()), ("slot", pa.int32()), *UNIT])
_FILE = pa.field(FILE, pa.int64())
_MEMO_FIELDS = ("asked_tables", "asked_digests", "contents")

Texts = Callable[[Ids, Ids], "DataFrame"]
"""Gives the texts of pieces (`split.chunk`), by their scripts and their ids."""


class Round:
    """A round: which units need which, and what was made before."""

    def __init__(
        self, exchange: Exchange, pieces: Pieces, units: Units, user: Ids, definer: Ids, before: Extracted | None
    ) -> None:
        self._exchange = exchange
        self._pieces = pieces
        self._units = units
        self._user = user
        self._definer = definer
        self._before = before
        self._needs = needs_of(units, user, definer)
        self._same = same_text(before.memo if before else None, pieces, units)
        self._wanted = self._to_look_at()
        self._order = order(user, definer, self._wanted, exchange.parallelism)
        self.cycles = len(self._order.cycles)
        self.fresh: Ids = np.zeros(0, np.int64)
        """The units that were analysed in this round; the analysis of all others is reused."""

    def _to_look_at(self) -> Flags:
        """Units that are new, or need others than before, or need such."""
        if self._before is None:
            return np.ones(len(self._units.ids), bool)
        unchanged = self._same & self._before.memo.has("needs", self._units.ids, self._needs)
        return downstream(self._user, self._definer, ~unchanged)

    def run(self, texts: Texts, options: Options, made_in: int, tell: Callable[[float], None]) -> Extracted:
        """Analyse all units whose earlier analysis is not surely unchanged; *made_in* is the number of this pass."""
        made = MADE.append(_FILE).empty_table()
        saved: list[Saved] = []
        if self._wanted.any():
            stages = _Stages(self._exchange, self._handed_out(texts, made_in), options, made_in)
            made, saved = self._run_stages(stages, tell)
        self.fresh = made.filter(pc.invert(made.column("reused"))).column("unit_id").to_numpy()
        before = self._before.memo if self._before else None
        memo = memo_after(made, made_in, before, self._pieces, self._units, self._needs)
        earlier = self._before.records.saved if self._before else Saved(self._exchange, (), CHUNK)
        return Extracted(Chunks(earlier.also(*saved), SCHEMAS, "unit_id", self._superseded(memo)), memo)

    def _run_stages(self, stages: _Stages, tell: Callable[[float], None]) -> tuple[pa.Table, list[Saved]]:
        handed = HandedDefinitions(self._user, self._definer, self._units, self._order)
        if self._before is not None:
            wanted = self._wanted
            reused = np.unique(self._definer[wanted[self._user] & ~wanted[self._definer]])
            handed.add(definitions_in(self._before, self._units.ids[reused]))
        done = [MADE.append(_FILE).empty_table()]
        saved: list[Saved] = []
        for number, tasks in enumerate(self._order.stages):
            saved.append(stages.run(number, len(tasks), handed.for_stage(tasks)))
            done.append(_made(saved[-1]))
            handed.add(done[-1].select(["unit_id", "contents"]))
            done[-1] = done[-1].set_column(2, "contents", pa.nulls(len(done[-1]), MADE.field("contents").type))
            tell(sum(map(len, done)) / int(self._wanted.sum()))
        return pa.concat_tables(done), saved

    def _handed_out(self, texts: Texts, made_in: int) -> Callable[[int], DataFrame]:
        """The units to look at, by stage; where there are several stages, they are saved first."""
        first = self._units.first[self._wanted]
        script, ordinal = self._pieces.script[first], self._pieces.ordinal[first]
        found = texts(np.unique(script), piece_ids(script, ordinal))
        units = self._with_memo(self._exchange.send(self._placed()).join(found, "piece_id")).drop("piece_id")
        units = units.select(*_HANDED_OUT.names)
        if len(self._order.stages) == 1:
            return lambda stage: units
        name = f"units-{made_in}"
        spread = units.repartition(2 * self._exchange.parallelism, "slot").sortWithinPartitions("stage")
        saved = self._exchange.save(spread, name, _HANDED_OUT)
        return lambda stage: saved.frame().where(f"stage = {stage}")

    def _placed(self) -> pa.Table:
        """The units to look at, with their first piece, their task and what they need."""
        pieces, units = self._pieces, self._units
        script, ordinal = pieces.script[units.first], pieces.ordinal[units.first]
        counts = np.bincount(self._user, minlength=len(units.ids))
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        by_user = self._definer[np.argsort(self._user, kind="stable")]
        columns = [
            piece_ids(script, ordinal),
            *self._stage_and_slot(),
            *(self._order.tasks, self._order.levels, units.ids, np.where(units.scoped, script, 0)),
            pa.ListArray.from_arrays(offsets, pa.array(units.ids[by_user])),
        ]
        arrays = [pa.array(c).cast(f.type) for c, f in zip(columns, _PLACED, strict=True)]
        return pa.Table.from_arrays(arrays, schema=_PLACED).filter(pa.array(self._wanted))

    def _stage_and_slot(self) -> tuple[Ids, Ids]:
        """For each unit, the stage of its task, and the key that gives the task a partition of its own there."""
        tasks = self._order.tasks
        starts = np.array([stage.start for stage in self._order.stages])
        stage = np.searchsorted(starts, tasks, side="right") - 1
        slots = [even_slots(len(each)) for each in self._order.stages]
        slot = np.concatenate([*slots, np.zeros(1, np.int32)])[tasks]  # a unit without a task has the last one
        return stage.astype(np.int64), slot.astype(np.int64)

    def _with_memo(self, units: DataFrame) -> DataFrame:
        """Units with what an earlier analysis of them asked for and defined, if it was of the same text to the last literal."""
        from pyspark.sql import functions as f

        again = self._units.ids[self._wanted & self._same]
        if self._before is None or not len(again):
            nothing = {name: f.lit(None).cast(_spark_type(name)) for name in _MEMO_FIELDS}
            return units.withColumns(nothing)
        only = Only.of("unit_id", again)
        records = self._before.chunks_with(only)
        asked = records.rows("asked", only).groupBy("unit_id")
        pairs = asked.agg(f.collect_list(f.struct("table_id", "digest")).alias("pairs"))
        defined = records.rows("definitions", only).where("content != ''").groupBy("unit_id")
        contents = defined.agg(f.array_sort(f.collect_list("content")).alias("contents"))
        memo = pairs.join(contents, "unit_id", "left").select(
            "unit_id",
            f.col("pairs.table_id").alias("asked_tables"),
            f.col("pairs.digest").alias("asked_digests"),
            f.coalesce("contents", f.array().cast("array<string>")).alias("contents"),
        )
        return units.join(memo, "unit_id", "left")

    def _superseded(self, memo: UnitMemo) -> Superseded:
        """The earlier records of units that were analysed anew, or that are gone."""
        if self._before is None:
            return {}
        before = self._before.memo
        kept = memo.has("made_in", before.ids, before.numbers("made_in"))
        found: dict[int, Ids] = dict(self._before.records.superseded)
        for made_in in np.unique(before.numbers("made_in")[~kept]).tolist():
            gone = before.ids[~kept & (before.numbers("made_in") == made_in)]
            found[made_in] = np.union1d(found.get(made_in, gone[:0]), gone)
        return found


class _Stages:
    """The stages of a round, run one after the other."""

    def __init__(self, exchange: Exchange, units: Callable[[int], DataFrame], options: Options, made_in: int) -> None:
        self._exchange = exchange
        self._units = units
        self._options = options
        self._made_in = made_in

    def run(self, number: int, tasks: int, given: pa.Table) -> Saved:
        """Run the tasks of a stage, which are given these definitions (`UNIT`, with their slots)."""
        rows = self._units(number).drop("stage")
        if len(given):
            rows = rows.unionByName(self._exchange.send(given))
        placed = rows.repartition(tasks, "slot").sortWithinPartitions("task", "level", "unit_id").drop("slot")
        chunks = placed.select(*UNIT.names).mapInArrow(extractor(self._options, self._made_in), ddl(CHUNK))
        return self._exchange.keep(chunks, f"records/{self._made_in}-{number}", CHUNK)


def _made(saved: Saved) -> pa.Table:
    """What the units of a stage hand on, with the files of their records."""
    found = [MADE.append(_FILE).empty_table()]
    for file, packed in saved.by_file("made"):
        for each in packed.column(0):
            if each.is_valid:
                made = unpack(each)
                found.append(made.append_column(_FILE, pa.array(np.full(len(made), file))))
    return pa.concat_tables(found)


def _spark_type(name: str) -> str:
    return "array<string>" if name == "contents" else "array<bigint>"
