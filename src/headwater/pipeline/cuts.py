"""What scripts are cut into: now, or in the build before this one, where a script has not changed since.

A snapshot keeps the cuts of its scripts without their texts, which may hold secrets and are in the scripts anyway. A script that is not
read as it is written (templates, placeholders, commands to a client), or that killed its process, is always cut anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from headwater.model.diagnostic import Code
from headwater.pipeline.script_keys import NEVER
from headwater.pipeline.split import CUT, PIECE
from headwater.pipeline.standing_files import Standing, among, put_together, write_rows
from headwater.pipeline.units import Flags, Ids

_TEXTS = ("raw", "readable")
_KEPT_PIECE = {name: type for name, type in PIECE.items() if name not in _TEXTS}
KEPT = pa.schema(
    [
        pa.field("pieces", pa.list_(pa.struct(list(_KEPT_PIECE.items())))) if field.name == "pieces" else field
        for field in CUT
        if field.name not in ("dialect", "schema")
    ]
)
"""What is kept of a cut script."""
_FEW = 1_000
"""Cut scripts that are not worth a file."""


@dataclass(frozen=True, slots=True)
class Cuts:
    """The cuts of all scripts, as files."""

    folder: Path
    """Those of all scripts, without texts (`KEPT`)."""
    made: Path
    """Those that were made in this build, with texts (`CUT`)."""
    standing: Ids
    """The scripts whose cuts are those of the build before."""


def standing_scripts(keys: pa.Table, before: Path | None) -> Ids:
    """The scripts that the build before has cut, with the same text and in the same way."""
    if before is None:
        return np.zeros(0, np.int64)
    old = ds.dataset(before, format="parquet").to_table(columns=["script_id", "content_key"])
    old = old.filter(pc.field("content_key") != NEVER)
    same = keys.select(old.column_names).join(old, old.column_names, join_type="left semi")
    return np.sort(same.column("script_id").to_numpy())


def keep_cuts(cuts: Cuts, before: Path | None, work: Path) -> Ids:
    """Put together what is kept of all scripts' cuts; gives the scripts that killed their process."""
    work.mkdir()
    crashed = [_keep(path, work / path.name) for path in sorted(cuts.made.glob("*.parquet"))]
    standing = Standing(KEPT, "script_id", among(cuts.standing), _FEW)
    put_together(work, before or work / "nothing", standing, cuts.folder)
    return np.concatenate([np.zeros(0, np.int64), *crashed])


def _keep(path: Path, target: Path) -> Ids:
    """Write what is kept of the cuts in a file; gives the scripts that killed their process."""
    crashed: list[Ids] = []

    def rows() -> Iterator[pa.Table]:
        with pq.ParquetFile(path) as file:
            for number in range(file.num_row_groups):
                group = file.read_row_group(number, _KEPT_COLUMNS).select(KEPT.names)
                dead = _some(group.column("remarks"), "code", lambda codes: pc.equal(codes, Code.CRASHED.value))
                crashed.append(group.column("script_id").to_numpy()[dead])
                texts = file.read_row_group(number, ["pieces.list.element.readable"]).column(0)
                again = dead | _some(texts, "readable", pc.is_valid)
                keys = np.where(again, NEVER, group.column("content_key").to_numpy())
                yield group.set_column(group.column_names.index("content_key"), "content_key", pa.array(keys))

    write_rows(rows(), KEPT, target)
    return np.concatenate([np.zeros(0, np.int64), *crashed])


_KEPT_COLUMNS = [
    *(name for name in KEPT.names if name != "pieces"),
    *(f"pieces.list.element.{name}" for name in _KEPT_PIECE),
]


def _some(lists: pa.ChunkedArray, field: str, is_meant: pc.Function) -> Flags:
    """Rows of which some structure has a field that is meant."""
    together = lists.combine_chunks()
    meant = is_meant(pc.struct_field(pc.list_flatten(together), field)).to_numpy(zero_copy_only=False)
    found = np.zeros(len(together), bool)
    found[pc.list_parent_indices(together).to_numpy()[meant]] = True
    return found
