"""The carry-over: files of the snapshot before whose rows are all unchanged are listed again; of the others, the unchanged rows are copied.

The ids in one column tell which rows have changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from headwater.pipeline.exchange import Exchange
from headwater.pipeline.ids import Ids, is_among
from headwater.store import Snapshot, page_checksums
from headwater.store.manifest import SnapshotFile

_FILES_AT_ONCE = 4
_MIN_ROWS_PER_FILE = 5_000
"""Rows that are worth a file of their own; fewer are copied into one file with others."""


@dataclass(frozen=True, slots=True)
class CarryOver:
    """The rows of a table that are carried over from a snapshot."""

    exchange: Exchange
    before: Snapshot
    table: str
    schema: pa.Schema
    key: str
    """The column whose ids tell which rows have changed."""

    def but(self, changed: Ids) -> list[SnapshotFile]:
        """The files of all rows but those with these ids."""
        ids = np.unique(changed)
        files, paths = self.before.files(self.table), self.before.paths(self.table)
        with ThreadPoolExecutor(_FILES_AT_ONCE) as pool:
            unchanged = list(pool.map(lambda path: self._unchanged(path, ids), paths))
        kept = [file for file, all_rows in zip(files, unchanged, strict=True) if all_rows]
        rest = [path for path, all_rows in zip(paths, unchanged, strict=True) if not all_rows]
        return [*kept, *self._copied(rest, ids)]

    def _unchanged(self, path: Path, ids: Ids) -> bool:
        """Whether a file is listed as it is: all its rows are unchanged, and they are worth a file."""
        with pq.ParquetFile(path) as file:
            found = file.read([self.key]).column(0).to_numpy()
        return len(found) >= _MIN_ROWS_PER_FILE and not is_among(ids, found).any()

    def _copied(self, paths: Sequence[Path], ids: Ids) -> Iterator[SnapshotFile]:
        """Copies of the unchanged rows of files: one for each that has enough of them, one for the rest together."""
        few: list[pa.Table] = []
        for number, path in enumerate(paths):
            rows = list(self._rows(path, ids))
            if sum(map(len, rows)) < _MIN_ROWS_PER_FILE:
                few += rows
            else:
                yield self._written(rows, number)
        if few:
            yield self._written(few, len(paths))

    def _rows(self, path: Path, ids: Ids) -> Iterator[pa.Table]:
        with pq.ParquetFile(path) as file:
            for number in range(file.num_row_groups):
                group = file.read_row_group(number)
                unchanged = ~is_among(ids, group.column(self.key).to_numpy())
                if unchanged.any():
                    yield group if unchanged.all() else group.filter(pa.array(unchanged))

    def _written(self, rows: Sequence[pa.Table], number: int) -> SnapshotFile:
        path = self.exchange.build.scratch / f"{self.table}-{number}.parquet"
        with pq.ParquetWriter(path, self.schema, compression="zstd", **page_checksums.WRITE) as writer:
            for table in rows:
                writer.write_table(table.cast(self.schema))
        return self.exchange.build.add(path, f"{self.table}-carried/{number}.parquet")
