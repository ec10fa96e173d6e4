"""Records of several rounds and builds, put together file by file: a file of which everything stands is not written again."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from headwater.pipeline.units import Ids

_AT_ONCE = 4
"""Files that are looked into at a time."""
_FEW = 50
"""Units that are not worth a file."""


def put_together(fresh: Path, before: Path, standing: Ids, target: Path) -> None:
    """Make a folder of records: the *fresh* ones, and those of *before* that stand, given by sorted ids of units."""
    target.mkdir()
    first = 0
    for path in sorted(fresh.glob("*.parquet")):
        if pq.read_metadata(path).num_rows:
            os.rename(path, target / f"{first}.parquet")
            first += 1
    old = sorted(before.glob("*.parquet"))
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        targets = [target / f"{number}.parquet" for number in range(first, first + len(old) + 1)]
        rests = pool.map(_copy, old, targets, repeat(standing))
        few = [rest for rest in rests if rest is not None]
    if few:
        pq.write_table(pa.concat_tables(few), targets[-1], compression="zstd")


def _copy(path: Path, target: Path, standing: Ids) -> pa.Table | None:
    """Keep what stands of a file; where that is little, it is given back, to be put together with other such rests."""
    ids = pq.read_table(path, columns=["unit_id"]).column(0).to_numpy()
    kept = np.isin(ids, standing)
    if kept.sum() <= _FEW:
        return pq.read_table(path).filter(pa.array(kept)) if kept.any() else None
    if kept.all():
        _link(path, target)
    else:
        pq.write_table(pq.read_table(path).filter(pa.array(kept)), target, compression="zstd")
    return None


def _link(path: Path, target: Path) -> None:
    """The same file under another name; a copy where the file system knows no links."""
    try:
        os.link(path, target)
    except OSError:
        shutil.copyfile(path, target)
