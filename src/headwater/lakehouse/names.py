"""Names behind a snapshot's ids: of tables, columns, processes and scripts, for whole batches of ids at once.

These are the only tables that an export keeps in memory, and of them only names and numbers: no expression and no text of a statement.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from headwater.store import Snapshot

Ints = npt.NDArray[np.int64]


class Rows:
    """A table's columns, looked up by the ids of another column."""

    def __init__(self, table: pa.Table, key: str) -> None:
        table = table.combine_chunks()
        ids: Ints = table.column(key).to_numpy()
        self._order = np.argsort(ids, kind="stable")
        self._ids = ids[self._order]
        self._columns = {name: _one_array(table.column(name)) for name in table.column_names if name != key}

    def find(self, ids: pa.Array) -> pa.Array:
        """The rows of ids; null for an id that is null or not in the table."""
        wanted: Ints = pc.fill_null(ids, 0).to_numpy(zero_copy_only=False)
        if not len(self._ids):
            return pa.nulls(len(wanted), pa.int64())
        order = np.argsort(wanted)  # neighbours are searched one after the other: several times as fast as at random
        at = np.empty(len(wanted), np.int64)
        at[order] = np.minimum(np.searchsorted(self._ids, wanted[order]), len(self._ids) - 1)
        missing = (self._ids[at] != wanted) | ids.is_null().to_numpy(zero_copy_only=False)
        return pa.array(self._order[at], pa.int64(), mask=missing)

    def take(self, name: str, rows: pa.Array) -> pa.Array:
        """The values of a column in rows."""
        return self._columns[name].take(rows)


class Names:
    """What the ids of a snapshot mean."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    @cached_property
    def tables(self) -> Rows:
        """Entities by id: `name`."""
        return Rows(self._snapshot.table("entities", ["entity_id", "name"]), "entity_id")

    @cached_property
    def columns(self) -> Rows:
        """Columns by id: `name`, and `owner`, the row of their table."""
        table = self._snapshot.table("columns", ["column_id", "entity_id", "name"]).combine_chunks()
        owners = self.tables.find(_one_array(table.column("entity_id")))
        return Rows(table.drop_columns(["entity_id"]).append_column("owner", owners), "column_id")

    @cached_property
    def scripts(self) -> Rows:
        """Scripts by id: `path`, `kind`, and `rank`, their place in the order of paths."""
        table = self._snapshot.table("scripts", ["script_id", "path", "kind"])
        table = table.sort_by([("path", "ascending"), ("script_id", "ascending")])
        return Rows(table.append_column("rank", pa.array(np.arange(len(table)))), "script_id")

    @cached_property
    def processes(self) -> Rows:
        """Processes by id: `type`."""
        return Rows(self._snapshot.table("processes", ["process_id", "type"]), "process_id")

    @cached_property
    def places(self) -> Rows:
        """The first place of each process, by path and offset: `script`, the row of its script, and `line`."""
        fields = ["process_id", "script_id", "start", "line"]
        table = self._snapshot.table("statements", fields).combine_chunks()
        scripts = self.scripts.find(_one_array(table.column("script_id")))
        table = table.drop_columns(["script_id"]).append_column("script", scripts)
        keys = (table.column("start"), self.scripts.take("rank", scripts), table.column("process_id"))
        order = np.lexsort([_numbers(each) for each in keys])
        process = _numbers(table.column("process_id"))[order]
        first = order[np.flatnonzero(np.diff(process, prepend=process[:1] - 1))] if len(order) else order
        return Rows(table.take(pa.array(first)).select(["process_id", "script", "line"]), "process_id")

    def of_column(self, ids: pa.Array) -> tuple[pa.Array, pa.Array]:
        """The table names and column names of columns."""
        rows = self.columns.find(ids)
        return self.tables.take("name", self.columns.take("owner", rows)), self.columns.take("name", rows)

    def of_table(self, ids: pa.Array) -> pa.Array:
        """The names of tables."""
        return self.tables.take("name", self.tables.find(ids))

    def of_script(self, ids: pa.Array) -> tuple[pa.Array, pa.Array]:
        """The paths and kinds of scripts."""
        rows = self.scripts.find(ids)
        return self.scripts.take("path", rows), self.scripts.take("kind", rows)

    def first_place(self, processes: pa.Array) -> tuple[pa.Array, pa.Array]:
        """The script and line where processes stand first."""
        rows = self.places.find(processes)
        return self.scripts.take("path", self.places.take("script", rows)), self.places.take("line", rows)


def _one_array(column: pa.ChunkedArray) -> pa.Array:
    found = column.combine_chunks()
    return found if isinstance(found, pa.Array) else pa.concat_arrays(found.chunks)


def _numbers(values: Any) -> Ints:
    return np.asarray(pc.fill_null(values, 0).to_numpy(), np.int64)


def without(values: pa.Array, absent: Sequence[Any]) -> pa.Array:
    """Values with null in the place of those that stand for nothing."""
    return pc.if_else(pc.is_in(values, value_set=pa.array(absent, values.type)), pa.scalar(None, values.type), values)
