"""Rows of several rounds and builds, put together file by file: a file of which everything stands is not written again.

Which rows are meant is told by the ids in one of their columns. Of a file, one row group is in memory at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from headwater.pipeline.units import Flags, Ids
from headwater.store.links import link

_AT_ONCE = 4
"""Files that are looked into at a time."""

Meant = Callable[[Ids], Flags]
"""Tells which ids are meant."""


def among(ids: Ids) -> Meant:
    """These ids."""
    known = np.unique(ids)  # once, not for each file

    def meant(found: Ids) -> Flags:
        if not len(known):
            return np.zeros(len(found), bool)
        same: Flags = known[np.minimum(np.searchsorted(known, found), len(known) - 1)] == found
        return same

    return meant


def but(ids: Ids) -> Meant:
    """All ids but these."""
    these = among(ids)
    return lambda found: ~these(found)


@dataclass(frozen=True, slots=True)
class Standing:
    """The rows of a table that stand."""

    schema: pa.Schema
    key: str
    """The column whose ids tell."""
    stands: Meant
    few: int
    """Rows that are not worth a file."""


def put_together(fresh: Path, before: Path, standing: Standing, target: Path) -> None:
    """Make a folder of files: the *fresh* ones, which may be none, and of those of *before* the rows that stand."""
    target.mkdir()
    first = 0
    for path in sorted(fresh.glob("*.parquet")):
        if pq.read_metadata(path).num_rows:
            os.rename(path, target / f"{first}.parquet")
            first += 1
    old = sorted(before.glob("*.parquet"))
    targets = [target / f"{number}.parquet" for number in range(first, first + len(old) + 1)]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        rests = pool.map(lambda path, place: _copy(path, place, standing), old, targets)
        few = [rest for rest in rests if rest is not None]
    if few or not any(target.iterdir()):  # whoever reads a table wants a file
        write_rows(few, standing.schema, targets[-1])


def rows_of(path: Path, key: str, meant: Meant, columns: list[str] | None = None) -> Iterator[pa.Table]:
    """The rows of a file that are meant, or some columns of them."""
    with pq.ParquetFile(path) as file:
        for number in range(file.num_row_groups):
            flags = meant(file.read_row_group(number, [key]).column(0).to_numpy())
            if flags.any():
                group = file.read_row_group(number, columns)
                yield group if flags.all() else group.filter(pa.array(flags))


def write_rows(tables: Iterable[pa.Table], schema: pa.Schema, path: Path) -> None:
    """Write tables to one file."""
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table.cast(schema))


def _copy(path: Path, target: Path, standing: Standing) -> pa.Table | None:
    """Keep what stands of a file; where that is little, it is given back, to be put together with other such rests."""
    with pq.ParquetFile(path) as file:
        flags = standing.stands(file.read([standing.key]).column(0).to_numpy())
    stand = int(flags.sum())
    if stand <= standing.few:
        rest = [table.cast(standing.schema) for table in rows_of(path, standing.key, standing.stands)]
        return pa.concat_tables(rest) if rest else None
    if stand == len(flags):
        link(path, target)
    else:
        write_rows(rows_of(path, standing.key, standing.stands), standing.schema, target)
    return None
