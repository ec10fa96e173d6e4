"""A task's units to records: the core's work, in Spark's workers.

A unit comes with the numbers of the units and tasks that define what it needs, and with what an earlier analysis of it asked for and
defined, if there is one: where that still holds, it stands. Units that need each other's definitions come one behind the other in the same
task. A task that was lost before is run with each statement in a process of its own, so that the one which kills its worker is found, and
is no more than a diagnostic.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import pyarrow as pa

from headwater.pipeline.definition import Given
from headwater.pipeline.options import Options
from headwater.pipeline.records import RecordBuilder
from headwater.pipeline.task_files import MADE, TaskFiles, handed_on
from headwater.pipeline.unit import Made, Unit, analyse
from headwater.pipeline.watch import Watch

_BATCH = 256
"""Units whose records are written together."""

DONE = pa.schema([("task", pa.int64()), ("units", pa.int64())])
"""What a task says of itself; everything else is in its files."""


def extractor(options: Options, files: TaskFiles) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A function from tasks' numbers to what was done, for `mapInArrow`."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for task in batch.column(0).to_pylist():
                count = _Task(task, options, files).run()
                yield pa.RecordBatch.from_pylist([{"task": task, "units": count}], schema=DONE)

    return run


class _Task:
    """A task under way."""

    def __init__(self, number: int, options: Options, files: TaskFiles) -> None:
        self._number = number
        self._options = options
        self._files = files
        self._earlier = files.made
        self._made: dict[int, Made] = {}
        self._reused: set[int] = set()

    def run(self) -> int:
        watch = Watch(self._options.budget.timeout)
        try:
            with self._files.write_records(self._number) as writer:
                for batch in self._batches(watch):
                    writer.write_batch(batch)
        finally:
            watch.stop()
        self._hand_on()
        _settle()
        return len(self._made)

    def _hand_on(self) -> None:
        reused = [unit in self._reused for unit in self._made]
        columns = [list(self._made), reused, *zip(*self._made.values(), strict=True)]
        arrays = [pa.array(c, f.type) for c, f in zip(columns, MADE, strict=True)]
        self._files.write_made(self._number, pa.Table.from_arrays(arrays, schema=MADE))

    def _batches(self, watch: Watch) -> Iterator[pa.RecordBatch]:
        records = RecordBuilder()
        for row in (row for batch in self._files.units_of(self._number) for row in batch.to_pylist()):
            watch.look()
            self._unit(row, records, watch.guarded)
            if len(records) >= _BATCH:
                yield records.batch()
                records = RecordBuilder()
        if len(records):
            yield records.batch()

    def _unit(self, row: dict[str, Any], records: RecordBuilder, guarded: bool) -> None:
        default = tuple(row["default_schema"]) if row["default_schema"] else None
        texts = (row["raw"], row["readable"], row["dialect"], row["schema"])
        unit = Unit(row["unit_id"], *texts, default, row["scope_id"], self._given(row))
        if _stands(unit, row):
            self._made[unit.id] = Made(row["defined_before"], [], [], [])
            self._reused.add(unit.id)
        else:
            self._made[unit.id] = analyse(unit, self._options, records, guarded=guarded)

    def _given(self, row: dict[str, Any]) -> Given:
        """The definitions that a unit needs, as far as these are made."""
        contents: set[str] = set()
        for definer, task in zip(row["requires"], row["required_tasks"], strict=True):
            contents.update(self._definitions(definer, task))
        return Given(sorted(contents))

    def _definitions(self, definer: int, task: int) -> Iterable[str]:
        if task == self._number:
            made = self._made.get(definer)
            return made.contents if made is not None else ()
        return handed_on(self._earlier, task, definer) if task < self._number else ()


@cache
def _settle() -> None:
    """Take what a worker has loaded for its first task out of the collector's sight: Spark has it look at everything after each task."""
    gc.collect()
    gc.freeze()


def _stands(unit: Unit, row: dict[str, Any]) -> bool:
    """Whether an earlier analysis of the unit still holds."""
    before = row["asked_before"]
    return before is not None and unit.given.still_holds((each["table_id"], each["digest"]) for each in before)
