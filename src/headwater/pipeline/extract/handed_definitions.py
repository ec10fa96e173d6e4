"""Definitions on their way from the tasks that make them to the tasks that need them, by way of the driver.

The driver keeps what later tasks need, and nothing else.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.pipeline.extract.extracted import Extracted
from headwater.pipeline.extract.task import GIVEN, UNIT
from headwater.pipeline.ids import Ids, Only, is_among
from headwater.pipeline.plan.order import Order
from headwater.pipeline.plan.slots import even_slots
from headwater.pipeline.plan.units import Units, distinct_pairs

DEFINITIONS = pa.schema([("unit_id", pa.int64()), ("contents", pa.list_(pa.string()))])
_GIVEN = pa.schema([("slot", pa.int32()), *UNIT])


class HandedDefinitions:
    """The definitions that tasks still need."""

    def __init__(self, user: Ids, definer: Ids, units: Units, order: Order) -> None:
        self._units = units
        self._task = order.tasks
        across = order.tasks[user] != order.tasks[definer]
        self._user, self._definer = user[across], definer[across]
        self._needed = np.unique(units.ids[self._definer])
        self._made = DEFINITIONS.empty_table()

    def add(self, definitions: pa.Table) -> None:
        """Add what units have defined (`DEFINITIONS`)."""
        ids = definitions.column("unit_id").to_numpy()
        some = pc.greater(pc.list_value_length(definitions.column("contents")), 0).to_numpy(zero_copy_only=False)
        needed = definitions.filter(pa.array(is_among(self._needed, ids) & some))
        self._made = pa.concat_tables([self._made, needed.cast(DEFINITIONS)]).sort_by("unit_id").combine_chunks()

    def for_stage(self, tasks: range) -> pa.Table:
        """What the tasks of a stage are given: rows of `UNIT`, with their slots."""
        task = self._task[self._user]
        here = (task >= tasks.start) & (task < tasks.stop)
        task, definer = distinct_pairs(task[here].astype(np.int64), self._definer[here], len(self._units.ids))
        made = self._made.column("unit_id").to_numpy()
        wanted = self._units.ids[definer]
        known = is_among(made, wanted)
        at = np.searchsorted(made, wanted[known])
        slots = even_slots(len(tasks))
        given = pa.table(
            {
                "slot": pa.array(slots[task[known] - tasks.start], pa.int32()),
                "task": pa.array(task[known], pa.int32()),
                "level": pa.array(np.full(len(at), GIVEN), pa.int32()),
                "unit_id": wanted[known],
                "contents": self._made.column("contents").take(pa.array(at)),
            }
        )
        return _with_nulls(given, _GIVEN)


def _with_nulls(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """A table with all columns of a schema: nulls in those that it does not have."""
    have = set(table.column_names)
    columns = [table.column(f.name) if f.name in have else pa.nulls(len(table), f.type) for f in schema]
    return pa.Table.from_arrays(columns, schema=schema)


def definitions_in(before: Extracted, units: Ids) -> pa.Table:
    """What units have defined in an earlier analysis (`DEFINITIONS`)."""
    if not len(units):
        return DEFINITIONS.empty_table()
    only = Only.of("unit_id", units)
    found = before.chunks_with(only).table("definitions", only, columns=("unit_id", "content"))
    found = found.filter(pc.not_equal(found.column("content"), ""))
    grouped = found.group_by("unit_id", use_threads=False).aggregate([("content", "list")])
    return grouped.select(["unit_id", "content_list"]).rename_columns(DEFINITIONS.names).cast(DEFINITIONS)
