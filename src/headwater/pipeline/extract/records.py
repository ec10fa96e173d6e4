"""What the analysis of units gives, as Arrow tables: one table for each kind of record, each row with the unit that it comes from.

`RecordBuilder` takes records one by one, as tuples in the order of the schemas' fields, and makes a chunk of them (`packed`). Ids are the
store's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from headwater.pipeline.packed import chunk_schema, pack

_INT, _ID, _TEXT, _FLAG = pa.int32(), pa.int64(), pa.string(), pa.bool_()
_TEXTS, _IDS = pa.list_(_TEXT), pa.list_(_ID)

_FIELDS: dict[str, dict[str, pa.DataType]] = {
    "statements": {
        "item": _INT,
        "start": _INT,
        "end": _INT,
        "line": _INT,
        "column": _INT,
        "process_id": _ID,
        "type": _TEXT,
        "name": _TEXT,
        "procedure": _TEXT,
        "query_hash": _TEXT,
        "dialect": _TEXT,
        "text": _TEXT,
        "alone": _FLAG,
    },
    "entities": {
        "entity_id": _ID,
        "kind": _TEXT,
        "parts": _TEXTS,
        "name": _TEXT,
        "spelling": _TEXT,
        "temporary": _FLAG,
        "scope_id": _ID,
        "file_format": _TEXT,
        "start": _INT,
    },
    "columns": {
        "column_id": _ID,
        "entity_id": _ID,
        "name": _TEXT,
        "ordinal": _INT,
        "inferred": _FLAG,
        "value": _TEXT,
    },
    "relations": {
        "source_id": _ID,
        "target_id": _ID,
        "process_id": _ID,
        "kind": _TEXT,
        "expression": _TEXT,
        "start": _INT,
        "end": _INT,
    },
    "diagnostics": {
        "item": _INT,
        "code": _TEXT,
        "severity": _TEXT,
        "message": _TEXT,
        "subject": _TEXT,
        "hint": _TEXT,
        "start": _INT,
        "end": _INT,
        "line": _INT,
        "column": _INT,
    },
    "definitions": {
        "table_id": _ID,
        "entity_id": _ID,
        "temporary": _FLAG,
        "dropped": _FLAG,
        "known": _FLAG,
        "column_ids": _IDS,
        "columns": _TEXTS,
        "types": _TEXTS,
        "content": _TEXT,
        "digest": _ID,
        "number": _INT,
        "process_id": _ID,
    },
    "asked": {"table_id": _ID, "digest": _ID},
    "stars": {
        "item": _INT,
        "entity_id": _ID,
        "defines": _FLAG,
        "elsewhere": _TEXTS,
        "ambiguous": _TEXTS,
        "said": _TEXTS,
    },
    "alterations": {"item": _INT, "entity_id": _ID, "name": _TEXT},
    "wildcards": {
        "item": _INT,
        "entity_id": _ID,
        "process_id": _ID,
        "parts": _TEXTS,
        "names": _TEXTS,
        "known": _IDS,
        "written": _IDS,
    },
    "behind_stars": {
        "entity_id": _ID,
        "name": _TEXT,
        "source_id": _ID,
        "source": _TEXT,
        "process_id": _ID,
        "kind": _TEXT,
        "expression": _TEXT,
        "start": _INT,
        "end": _INT,
    },
}
"""The kinds of records and their fields, in the order in which they are added; whether a statement is the only one of its unit is known
when the unit ends."""

SCHEMAS: Mapping[str, pa.Schema] = {
    name: pa.schema([("unit_id", _ID), *fields.items()]) for name, fields in _FIELDS.items()
}
CHUNK = chunk_schema(*SCHEMAS, "made")
"""A chunk of records; `made`, in the last chunk of a task, is what its units hand on (`task.MADE`)."""


class RecordBuilder:
    """Takes the records of units, one unit after the other."""

    def __init__(self) -> None:
        self._rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in _FIELDS}
        self._owners: dict[str, list[int]] = {name: [] for name in _FIELDS}
        self._units = 0
        self.statement = self._rows["statements"].append
        self.entity = self._rows["entities"].append
        self.column = self._rows["columns"].append
        self.relation = self._rows["relations"].append
        self.diagnostic = self._rows["diagnostics"].append
        self.definition = self._rows["definitions"].append
        self.asked = self._rows["asked"].append
        self.star = self._rows["stars"].append
        self.alteration = self._rows["alterations"].append
        self.wildcard = self._rows["wildcards"].append
        self.behind_star = self._rows["behind_stars"].append

    def close(self, unit: int) -> None:
        """End the records of a unit."""
        self._units += 1
        statements = self._rows["statements"]
        first = len(self._owners["statements"])
        statements[first:] = [(*row, len(statements) == first + 1) for row in statements[first:]]
        for name, rows in self._rows.items():
            owners = self._owners[name]
            owners += [unit] * (len(rows) - len(owners))

    def __len__(self) -> int:
        return self._units

    def tables(self) -> dict[str, pa.Table]:
        """Everything that was added."""
        return {name: self._table(name) for name in _FIELDS}

    def _table(self, name: str) -> pa.Table:
        rows, fields = self._rows[name], _FIELDS[name]
        columns = zip(*rows, strict=True) if rows else ((),) * len(fields)
        arrays = [pa.array(c, t) for c, t in zip(columns, fields.values(), strict=True)]
        return pa.Table.from_arrays([pa.array(self._owners[name], _ID), *arrays], schema=SCHEMAS[name])


def chunk(made_in: int, tables: Mapping[str, pa.Table]) -> pa.RecordBatch:
    """A row of packed tables; one that is empty, or not there, is null."""
    packed = [pack(tables[name]) if name in tables and len(tables[name]) else None for name in CHUNK.names[1:]]
    arrays = [pa.array([made_in], pa.int64()), *(pa.array([each], pa.binary()) for each in packed)]
    return pa.RecordBatch.from_arrays(arrays, schema=CHUNK)
