"""Rows to Arrow batches: many small ones travel together, a large one alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa


def batches_of(rows: Iterable[tuple[dict[str, Any], int]], schema: pa.Schema, most: int) -> Iterator[pa.RecordBatch]:
    """Batches of rows, which come with their sizes: a batch ends as soon as it has *most*."""
    together: list[dict[str, Any]] = []
    size = 0
    for row, more in rows:
        together.append(row)
        size += more
        if size >= most:
            yield pa.RecordBatch.from_pylist(together, schema=schema)
            together, size = [], 0
    if together:
        yield pa.RecordBatch.from_pylist(together, schema=schema)
