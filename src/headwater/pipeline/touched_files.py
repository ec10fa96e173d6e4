"""Cuts and records narrowed to what is touched, as files: all that has to be stitched anew is made of these.

Of a unit that has a say in one touched entity, only what it says of that entity remains.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.pipeline.records import SCHEMA
from headwater.pipeline.split import CUT
from headwater.pipeline.standing_files import among, rows_of, write_rows
from headwater.pipeline.touched import Touched
from headwater.pipeline.units import Ids

_AT_ONCE = 4
"""Files that are read at a time."""


def write_touched_cuts(cuts: Path, touched: Touched, target: Path) -> str:
    """Write the cuts of touched scripts."""
    return _narrowed(cuts, CUT, ("script_id", touched.scripts), lambda rows: rows, target)


def write_touched_records(records: Path, touched: Touched, target: Path) -> str:
    """Write what the records say of touched things."""
    nothing = np.zeros(0, np.int64)
    kept = {
        "entities": ("entity_id", touched.entities),
        "columns": ("entity_id", touched.entities),
        "relations": ("process_id", touched.related),
        "definitions": ("entity_id", touched.entities),
        "asked": ("table_id", nothing),
    }

    def narrow(rows: pa.Table) -> pa.Table:
        for name, (key, ids) in kept.items():
            only = _only(rows.column(name).combine_chunks(), key, ids)
            rows = rows.set_column(rows.column_names.index(name), name, only)
        return rows

    return _narrowed(records, SCHEMA, ("unit_id", touched.units), narrow, target)


def _narrowed(
    source: Path, schema: pa.Schema, meant: tuple[str, Ids], narrow: Callable[[pa.Table], pa.Table], target: Path
) -> str:
    """Write the rows of some ids, narrowed, file by file."""
    target.mkdir(parents=True)
    key, ids = meant

    def write(path: Path) -> None:
        found = [narrow(rows) for rows in rows_of(path, key, among(ids))]
        if found:
            write_rows(found, schema, target / path.name)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(write, sorted(source.glob("*.parquet"))))
    return str(target)


def _only(lists: pa.ListArray, key: str, ids: Ids) -> pa.ListArray:
    """Of each list the structures with these ids."""
    inside = pc.list_flatten(lists)
    kept = np.isin(pc.struct_field(inside, key).to_numpy(), ids)
    counts = np.bincount(pc.list_parent_indices(lists).to_numpy()[kept], minlength=len(lists))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), inside.filter(pa.array(kept)))
