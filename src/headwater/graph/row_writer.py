"""Arrow IPC files that are read by row: batches as they come, and beside them an array of the batches' first rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa


class RowWriter:
    """Writes batches, of some of their columns, behind each other."""

    def __init__(self, path: Path, fields: Sequence[str]) -> None:
        self._path = path
        self._fields = list(fields)
        self._file: pa.ipc.RecordBatchFileWriter | None = None
        self._starts = [0]

    def __enter__(self) -> RowWriter:
        return self

    def write(self, batch: pa.RecordBatch) -> None:
        """Add a batch."""
        if batch.num_rows == 0:
            return
        chosen = batch.select(self._fields)
        if self._file is None:
            self._file = pa.ipc.new_file(str(self._path), chosen.schema)
        self._file.write_batch(chosen)
        self._starts.append(self._starts[-1] + chosen.num_rows)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is None:
            self._file = pa.ipc.new_file(str(self._path), pa.schema([(name, pa.null()) for name in self._fields]))
        self._file.close()
        np.save(self._path.with_suffix(".npy"), np.array(self._starts, dtype=np.int64))


def write_single(path: Path, table: pa.Table) -> None:
    """Write a table as one batch, which can be mapped as a whole."""
    whole = table.combine_chunks()
    batches = whole.to_batches() or [pa.RecordBatch.from_pylist([], schema=whole.schema)]
    with pa.ipc.new_file(str(path), whole.schema) as file:
        file.write_batch(batches[0])
