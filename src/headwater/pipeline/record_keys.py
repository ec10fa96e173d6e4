"""What units speak of, by ids: of their records, only these few columns are read."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from headwater.pipeline.units import Ids

_AT_ONCE = 4
"""Files that are read at a time."""
_KEYS = {"statements": "process_id", "entities": "entity_id", "definitions": "entity_id"}


@dataclass(frozen=True, slots=True)
class Pairs:
    """Units, in pairs with what they speak of."""

    unit: Ids
    what: Ids

    def of(self, units: Ids) -> Ids:
        """What these units speak of."""
        return np.unique(self.what[np.isin(self.unit, units)])

    def about(self, ids: Ids) -> Ids:
        """The units that speak of these."""
        return np.unique(self.unit[np.isin(self.what, ids)])


@dataclass(frozen=True, slots=True)
class RecordKeys:
    """Which unit speaks of which processes and entities; whoever speaks of a column speaks of its entity too."""

    processes: Pairs
    entities: Pairs


def record_keys(files: Iterable[Path]) -> RecordKeys:
    """The keys of the records in some files."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        tables = list(pool.map(_read, files))
    found = {name: [_pairs(table, name) for table in tables] for name in _KEYS}
    return RecordKeys(_joined(found["statements"]), _joined(found["entities"] + found["definitions"]))


def _read(path: Path) -> pa.Table:
    with pq.ParquetFile(path) as file:
        return file.read(["unit_id", *(f"{name}.list.element.{key}" for name, key in _KEYS.items())])


def _pairs(table: pa.Table, name: str) -> Pairs:
    lists = table.column(name).combine_chunks()
    parents = pc.list_parent_indices(lists).to_numpy()
    ids = pc.struct_field(pc.list_flatten(lists), _KEYS[name]).to_numpy()
    real = ids != 0  # a function has no entity
    return Pairs(table.column("unit_id").to_numpy()[parents[real]], ids[real])


def _joined(pairs: list[Pairs]) -> Pairs:
    nothing = np.zeros(0, np.int64)
    return Pairs(
        np.concatenate([nothing, *(each.unit for each in pairs)]),
        np.concatenate([nothing, *(each.what for each in pairs)]),
    )
