"""A task's units to records: the core's work, in Spark's workers.

In come the rows of tasks, in order: first the definitions that a task is given, then its units. A unit has the numbers of the units that
define what it needs, and what an earlier analysis of it asked for and defined, if there is one: where that still holds, the analysis is
reused. Units that need each other's definitions come one behind the other in the same task. A task that was lost before is run with each
statement in a process of its own, so that the one which kills its worker is found, and is no more than a diagnostic.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow as pa

from headwater.pipeline.extract.definition import Given
from headwater.pipeline.extract.records import RecordBuilder, chunk
from headwater.pipeline.extract.unit import Made, Unit, analyse
from headwater.pipeline.options import Options
from headwater.pipeline.watchdog import Watchdog

_ID, _IDS, _TEXT, _TEXTS = pa.int64(), pa.list_(pa.int64()), pa.string(), pa.list_(pa.string())
UNIT = pa.schema(
    [
        ("task", pa.int32()),
        ("level", pa.int32()),
        ("unit_id", _ID),
        ("scope_id", _ID),
        ("raw", _TEXT),
        ("readable", _TEXT),
        ("dialect", _TEXT),
        ("schema", _TEXT),
        ("default_schema", _TEXTS),
        ("requires", _IDS),
        ("asked_tables", _IDS),
        ("asked_digests", _IDS),
        ("contents", _TEXTS),
    ]
)
"""A unit of a task, with what an earlier analysis asked for and defined; or, at the level `GIVEN`, a unit's definitions alone."""
GIVEN = -1
MADE = pa.schema(
    [
        ("unit_id", _ID),
        ("reused", pa.bool_()),
        ("contents", _TEXTS),
        ("tables", _IDS),
        ("in_vain", _IDS),
        ("open", _IDS),
        ("altered", _IDS),
        ("wildcards", _IDS),
        ("entities", _IDS),
        ("processes", _IDS),
        ("crashed", pa.bool_()),
    ]
)
"""What a unit hands on: whether an earlier analysis of it is reused; its definitions, what it defined and missed, what it writes an open
star into, what it alters, which wildcards it reads, what its records speak of, and its fate."""
_UNITS_PER_CHUNK = 512

Batches = Iterator[pa.RecordBatch]


def extractor(options: Options, made_in: int) -> Callable[[Batches], Batches]:
    """A function from the rows of tasks (`UNIT`) to chunks of records, for `mapInArrow`."""

    def run(batches: Batches) -> Batches:
        watchdog = Watchdog(options.budget.timeout)
        rows = (row for batch in batches for row in batch.to_pylist())
        try:
            for _, of_task in groupby(rows, key=itemgetter("task")):
                yield from _Task(options, made_in, watchdog).run(of_task)
        finally:
            watchdog.stop()
        _settle()

    return run


class _Task:
    """A task under way."""

    def __init__(self, options: Options, made_in: int, watchdog: Watchdog) -> None:
        self._options = options
        self._made_in = made_in
        self._watchdog = watchdog
        self._given: dict[int, list[str]] = {}
        self._made: dict[int, Made] = {}
        self._reused: set[int] = set()

    def run(self, rows: Iterator[dict[str, Any]]) -> Batches:
        records = RecordBuilder()
        for row in rows:
            if row["level"] == GIVEN:
                self._given[row["unit_id"]] = row["contents"]
                continue
            self._watchdog.look()
            self._unit(row, records)
            if len(records) >= _UNITS_PER_CHUNK:
                self._watchdog.pause()
                yield chunk(self._made_in, records.tables())
                records = RecordBuilder()
        self._watchdog.pause()
        yield chunk(self._made_in, {**records.tables(), "made": self._handed_on()})

    def _unit(self, row: dict[str, Any], records: RecordBuilder) -> None:
        default = tuple(row["default_schema"]) if row["default_schema"] else None
        texts = (row["raw"], row["readable"], row["dialect"], row["schema"])
        unit = Unit(row["unit_id"], *texts, default, row["scope_id"], self._definitions(row["requires"]))
        if _still_holds(unit, row):
            self._made[unit.id] = Made(row["contents"], [], [], [], [], [], [], [])
            self._reused.add(unit.id)
        else:
            self._made[unit.id] = analyse(unit, self._options, records, guarded=self._watchdog.guarded)

    def _definitions(self, definers: list[int]) -> Given:
        """The definitions that a unit needs, as far as these are made."""
        contents: set[str] = set()
        for definer in definers:
            made = self._made.get(definer)
            contents.update(made.contents if made is not None else self._given.get(definer, ()))
        return Given(sorted(contents))

    def _handed_on(self) -> pa.Table:
        reused = [unit in self._reused for unit in self._made]
        columns = [list(self._made), reused, *zip(*self._made.values(), strict=True)]
        columns = columns if self._made else [[]] * len(MADE)
        return pa.Table.from_arrays([pa.array(c, f.type) for c, f in zip(columns, MADE, strict=True)], schema=MADE)


@cache
def _settle() -> None:
    """Take what a worker has loaded for its first task out of the collector's sight: Spark has it look at everything after each task."""
    gc.collect()
    gc.freeze()


def _still_holds(unit: Unit, row: dict[str, Any]) -> bool:
    """Whether an earlier analysis of the unit still holds."""
    if row["asked_tables"] is None:
        return False
    return unit.given.still_holds(zip(row["asked_tables"], row["asked_digests"], strict=True))
