"""Scripts, cuts, places, records and known tables narrowed to what is touched, as files: what is stitched anew is made of these.

Of a unit that has a say in one touched entity, only what it says of that entity remains; what no unit of a row group has to say is not
even read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from headwater.pipeline.cuts import KEPT
from headwater.pipeline.part_files import ELSEWHERE, KNOWN, SCRIPTS, PartFiles
from headwater.pipeline.records import SCHEMA
from headwater.pipeline.standing_files import Meant, among, rows_of, write_rows
from headwater.pipeline.touched import Touched
from headwater.pipeline.units import PLACE, Ids

_AT_ONCE = 4
"""Files that are read at a time."""


def write_touched(parts: PartFiles, touched: Touched, target: PartFiles) -> set[str]:
    """Write what speaks of touched things; gives the lists in cuts and records that hold something."""
    met = np.union1d(touched.scripts, touched.elsewhere.column("script_id").to_numpy())
    target.scripts.parent.mkdir()
    write_rows(_rows("script_id", met, SCRIPTS)(parts.scripts), SCRIPTS, target.scripts)
    write_rows(_rows("entity_id", touched.entities, KNOWN)(parts.known), KNOWN, target.known)
    _write_places(parts.places, touched, target.places)
    write_rows([touched.elsewhere.select(ELSEWHERE.names)], ELSEWHERE, target.elsewhere)
    told = _written(parts.cuts, _rows("script_id", touched.scripts, KEPT), KEPT, target.cuts)
    told |= _write_records(parts.behind_stars, touched, target.behind_stars)
    return told | _write_records(parts.records, touched, target.records)


def _rows(key: str, ids: Ids, schema: pa.Schema) -> Callable[[Path], Iterator[pa.Table]]:
    """Gives the rows of a file with these ids."""
    return lambda path: rows_of(path, key, among(ids), schema.names)


def _write_places(places: Path, touched: Touched, target: Path) -> None:
    """Write the places of touched scripts, and the first places of units that have a say."""
    table = pq.read_table(places)
    script, unit = (table.column(name).to_numpy() for name in ("script_id", "unit_id"))
    first = table.column("first").to_numpy()
    meant = np.isin(script, touched.scripts) | (first & np.isin(unit, touched.units))
    write_rows([table.filter(pa.array(meant))], PLACE, target)


def _write_records(records: Path, touched: Touched, target: Path) -> set[str]:
    """Write what the records say of touched things; gives the lists that hold something."""
    nobody = np.zeros(0, np.int64)
    entities = ("entity_id", among(touched.entities), among(touched.naming))
    narrow = {
        **dict.fromkeys(("entities", "columns", "definitions"), entities),
        "relations": ("process_id", among(touched.related), among(touched.relating)),
        "asked": ("table_id", among(nobody), among(nobody)),
        **dict.fromkeys(("stars", "behind_stars"), ("entity_id", among(nobody), among(nobody))),
    }
    speaking = among(touched.units)

    def rows(path: Path) -> Iterator[pa.Table]:
        with pq.ParquetFile(path) as file:
            for number in range(file.num_row_groups):
                units = file.read_row_group(number, ["unit_id"]).column(0).to_numpy()
                if (meant := speaking(units)).any():
                    silent = [name for name, (_, _, who) in narrow.items() if not who(units).any()]
                    said = [name for name in SCHEMA.names if name not in silent]
                    group = file.read_row_group(number, said).filter(pa.array(meant))
                    yield _with_nothing(silent, _narrowed(group, {n: narrow[n][:2] for n in said if n in narrow}))

    return _written(records, rows, SCHEMA, target)


def _written(source: Path, rows: Callable[[Path], Iterator[pa.Table]], schema: pa.Schema, target: Path) -> set[str]:
    """Write some rows, file by file; gives the lists that hold something."""
    target.mkdir()
    lists = [field.name for field in schema if pa.types.is_list(field.type)]

    def write(path: Path) -> set[str]:
        found = list(rows(path))
        if found:
            write_rows(found, schema, target / path.name)
        return {name for name in lists for table in found if pc.sum(pc.list_value_length(table.column(name))).as_py()}

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return set().union(*pool.map(write, sorted(source.glob("*.parquet"))))


def _narrowed(rows: pa.Table, keys: dict[str, tuple[str, Meant]]) -> pa.Table:
    for name, (key, meant) in keys.items():
        only = _only(rows.column(name).combine_chunks(), key, meant)
        rows = rows.set_column(rows.column_names.index(name), name, only)
    return rows


def _only(lists: pa.ListArray, key: str, meant: Meant) -> pa.ListArray:
    """Of each list the structures that are meant."""
    inside = pc.list_flatten(lists)
    kept = meant(pc.struct_field(inside, key).to_numpy())
    counts = np.bincount(pc.list_parent_indices(lists).to_numpy()[kept], minlength=len(lists))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), inside.filter(pa.array(kept)))


def _with_nothing(lists: list[str], rows: pa.Table) -> pa.Table:
    """Rows with empty lists of these names."""
    offsets = pa.array(np.zeros(len(rows) + 1, np.int32))
    for name in lists:
        rows = rows.append_column(
            name, pa.ListArray.from_arrays(offsets, pa.array([], SCHEMA.field(name).type.value_type))
        )
    return rows.select(SCHEMA.names)
