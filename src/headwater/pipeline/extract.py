"""Units to records: the core's work, in Spark's workers.

A unit comes with the definitions that it needs, as text, and with what an earlier analysis of it asked for and defined, if there is one:
where that still holds, it stands. Units that need each other's definitions come one behind the other in the same task. A task that was
lost before is run with each statement in a process of its own, so that the one which kills its worker is found, and is no more than a
diagnostic.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.pipeline.arrow_ddl import ddl
from headwater.pipeline.definition import Given
from headwater.pipeline.options import Options
from headwater.pipeline.records import SCHEMA, RecordBuilder
from headwater.pipeline.unit import Unit, analyse

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_BATCH = 64
"""Units whose records travel together."""
_GRACE = 5.0
"""Seconds beyond a statement's budget after which its worker must hang: one that needs a process of its own is back before."""


def extract(units: DataFrame, options: Options) -> DataFrame:
    """The records of units; they come with `given`, the definitions that they need, and `requires`, the units that make them."""
    columns = ["unit_id", "raw", "readable", "dialect", "schema", "default_schema", "scope_id", "requires", "given"]
    columns += ["asked_before", "defined_before"]
    return units.select(*columns).mapInArrow(_extractor(options), ddl(SCHEMA))


def _extractor(options: Options) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        made: dict[int, list[str]] = {}
        _collect_seldom()
        watch = _Watch(options.budget.timeout)
        try:
            for batch in batches:
                records = RecordBuilder()
                for row in batch.to_pylist():
                    watch.look()
                    unit = _unit(row, made)
                    if _stands(unit, row):
                        made[unit.id] = row["defined_before"]
                        records.close(unit.id, reused=True)
                    else:
                        made[unit.id] = analyse(unit, options, records, guarded=watch.guarded)
                    if len(records) >= _BATCH:
                        yield records.batch()
                        records = RecordBuilder()
                if len(records):
                    yield records.batch()
        finally:
            watch.stop()

    return run


def _collect_seldom() -> None:
    """A worker makes trees that die together: looking for cycles all the time would cost a tenth of its time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def _unit(row: dict[str, Any], made: dict[int, list[str]]) -> Unit:
    contents = dict.fromkeys(row["given"] or ())
    for definer in row["requires"] or ():
        contents |= dict.fromkeys(made.get(definer, ()))
    default = tuple(row["default_schema"]) if row["default_schema"] else None
    texts = (row["raw"], row["readable"], row["dialect"], row["schema"])
    return Unit(row["unit_id"], *texts, default, row["scope_id"], Given(contents))


def _stands(unit: Unit, row: dict[str, Any]) -> bool:
    """Whether an earlier analysis of the unit still holds."""
    before = row["asked_before"]
    return before is not None and unit.given.still_holds((each["table_id"], each["digest"]) for each in before)


class _Watch:
    """Ends a worker that hangs: compiled code cannot be interrupted, and holds every other thread up.

    The interpreter's own watchdog, which needs no thread of Python's, ends the process; Spark then runs the task again, and
    this time each statement has a process of its own with a deadline.
    """

    def __init__(self, timeout: float | None) -> None:
        from pyspark import TaskContext

        context = TaskContext.get()
        self.guarded = context is not None and context.attemptNumber() > 0
        self._timeout = None if self.guarded or timeout is None else timeout + _GRACE
        self._armed = 0.0
        self._nowhere = open(os.devnull, "w")  # noqa: SIM115 - the watchdog writes there until it is stopped

    def look(self) -> None:
        """Say that the worker is alive."""
        now = time.monotonic()
        if self._timeout is not None and now - self._armed > 1:
            self._armed = now
            faulthandler.dump_traceback_later(self._timeout, exit=True, file=self._nowhere)

    def stop(self) -> None:
        """There is nothing more to watch."""
        faulthandler.cancel_dump_traceback_later()
        self._nowhere.close()
