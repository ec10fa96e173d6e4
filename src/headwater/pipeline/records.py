"""What the analysis of units gives, as Arrow data: one row per unit, with lists of structures in it.

`RecordBuilder` takes records one by one, as tuples in the order of the schema's fields, and makes a batch of them. Ids are the store's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

_INT, _ID, _TEXT, _FLAG = pa.int32(), pa.int64(), pa.string(), pa.bool_()
_TEXTS, _IDS = pa.list_(_TEXT), pa.list_(_ID)

_LISTS: dict[str, dict[str, pa.DataType]] = {
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
"""The lists in a unit's row, and the fields of their structures, in the order in which they are added."""

SCHEMA = pa.schema(
    [
        pa.field("unit_id", _ID),
        *(pa.field(name, pa.list_(pa.struct(list(f.items())))) for name, f in _LISTS.items()),
    ]
)


class _Rows:
    """A list column under construction: its structures, and where each row's part begins."""

    __slots__ = ("_fields", "_offsets", "_rows", "add")

    def __init__(self, fields: dict[str, pa.DataType]) -> None:
        self._fields = fields
        self._rows: list[tuple[Any, ...]] = []
        self._offsets = [0]
        self.add = self._rows.append

    def close(self) -> None:
        self._offsets.append(len(self._rows))

    def array(self) -> pa.Array:
        columns = zip(*self._rows, strict=True) if self._rows else ((),) * len(self._fields)
        children = [pa.array(c, t) for c, t in zip(columns, self._fields.values(), strict=True)]
        inside = pa.StructArray.from_arrays(children, fields=[pa.field(n, t) for n, t in self._fields.items()])
        return pa.ListArray.from_arrays(pa.array(self._offsets, pa.int32()), inside)


class RecordBuilder:
    """Takes the records of units, one unit after the other."""

    def __init__(self) -> None:
        self._units: list[int] = []
        self._rows = {name: _Rows(fields) for name, fields in _LISTS.items()}
        self.statement = self._rows["statements"].add
        self.entity = self._rows["entities"].add
        self.column = self._rows["columns"].add
        self.relation = self._rows["relations"].add
        self.diagnostic = self._rows["diagnostics"].add
        self.definition = self._rows["definitions"].add
        self.asked = self._rows["asked"].add
        self.star = self._rows["stars"].add
        self.behind_star = self._rows["behind_stars"].add

    def close(self, unit: int) -> None:
        """End the records of a unit."""
        self._units.append(unit)
        for rows in self._rows.values():
            rows.close()

    def __len__(self) -> int:
        return len(self._units)

    def batch(self) -> pa.RecordBatch:
        """Everything that was added, as a batch."""
        arrays: Sequence[pa.Array] = [
            pa.array(self._units, _ID),
            *(r.array() for r in self._rows.values()),
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)
