"""The Parquet files of a table, to be read in parts. Files that turn out to be damaged while they are read are an error of one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds

from headwater.storage import StorageError
from headwater.store import page_checksums

_PARQUET = ds.ParquetFileFormat(default_fragment_scan_options=ds.ParquetFragmentScanOptions(**page_checksums.READ))


class TableFiles:
    """A table of a snapshot."""

    def __init__(self, paths: Sequence[Path], schema: pa.Schema, name: str) -> None:
        self._name = name
        with self._reasons():
            files = list(map(str, paths))
            self._rows: ds.Dataset = (
                ds.dataset(files, schema=schema, format=_PARQUET) if files else ds.dataset(schema.empty_table())
            )

    def to_table(self, columns: list[str] | None = None, filter: ds.Expression | None = None) -> pa.Table:
        """The rows, or those that a condition holds for."""
        with self._reasons():
            return self._rows.to_table(columns=columns, filter=filter)

    def to_batches(self, columns: list[str] | None = None, **options: Any) -> Iterator[pa.RecordBatch]:
        """The rows, in parts."""
        with self._reasons():
            yield from self._rows.to_batches(columns=columns, **options)

    def count_rows(self, filter: ds.Expression | None = None) -> int:
        """How many rows there are, or how many a condition holds for."""
        with self._reasons():
            return int(self._rows.count_rows(filter=filter))

    def row_groups(self) -> list[ds.Fragment]:
        """The parts of the files that can be read one by one."""
        with self._reasons():
            return [group for fragment in self._rows.get_fragments() for group in fragment.split_by_row_group()]

    @contextmanager
    def _reasons(self) -> Iterator[None]:
        try:
            yield
        except (OSError, pa.ArrowException) as error:
            reason = " ".join(str(error).split())[:200]
            raise StorageError(f"{self._name} is damaged or was removed: {reason}") from error
