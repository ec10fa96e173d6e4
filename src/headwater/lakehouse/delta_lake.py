"""Delta Lake tables below a folder or URI, by delta-rs. Each table is a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, WriterProperties, write_deltalake
from deltalake import Schema as DeltaSchema
from deltalake.exceptions import CommitFailedError, DeltaError, TableNotFoundError

from headwater.export.format import ExportError
from headwater.lakehouse.reasons import one_line
from headwater.storage import local_path
from headwater.storage.environment import environment_settings, is_without_tls
from headwater.storage.opening import OBJECT_STORES, refuse_password
from headwater.storage.uri import scheme
from headwater.store.schema import Table

_BYTES_PER_FILE = 128 * 2**20
_ROWS_PER_GROUP = 2**17
"""Rows that the writer holds at once."""


class DeltaLake:
    """The Delta tables of a place."""

    def __init__(self, place: str) -> None:
        refuse_password(place)
        self.place = place.rstrip("/") or "/"
        path = local_path(place)
        if path is None and scheme(place) not in OBJECT_STORES:
            raise ExportError(f"{place}: delta is written to a folder, s3://, gs:// or abfss://")
        self._root = _library_uri(self.place) if path is None else str(path.absolute())
        self._options = {} if path is not None else _options(place)

    def fields(self, table: Table) -> Mapping[str, str] | None:
        """The columns of a table."""
        found = self._open(table)
        return None if found is None else _fields(found.schema())

    def expected(self, table: Table) -> Mapping[str, str]:
        """The columns that a table should have."""
        return _fields(_schema(table))

    def read(self, table: Table) -> pa.Table:
        """The current rows of a small table."""
        found = self._open(table)
        with self._reasons(table):
            # not `to_pyarrow_table`, whose threads sometimes abort the process when it ends
            return table.schema.empty_table() if found is None else pa.table(found.scan()).cast(table.schema)

    def replace(self, table: Table, rows: pa.RecordBatchReader, facts: Mapping[str, str]) -> int:
        """Replace all rows of a table in one commit."""
        delta = self._open(table) or self._create(table)
        with self._reasons(table):
            self._write(delta, rows, "overwrite", facts)
            return delta.version()

    def append(self, table: Table, rows: pa.Table, facts: Mapping[str, str]) -> None:
        """Append rows to a table in one commit."""
        delta = self._open(table) or self._create(table)
        with self._reasons(table):
            self._write(delta, rows.to_reader(), "append", facts)

    def _write(self, delta: DeltaTable, rows: pa.RecordBatchReader, mode: str, facts: Mapping[str, str]) -> None:
        write_deltalake(
            delta,
            rows,
            mode=mode,  # type: ignore[call-overload]
            target_file_size=_BYTES_PER_FILE,
            writer_properties=WriterProperties(compression="ZSTD", max_row_group_size=_ROWS_PER_GROUP),
            commit_properties=CommitProperties(custom_metadata=dict(facts), max_commit_retries=0),
        )

    def _open(self, table: Table) -> DeltaTable | None:
        with self._reasons(table):
            try:
                return DeltaTable(self._uri(table), storage_options=self._options)
            except TableNotFoundError:
                return None

    def _create(self, table: Table) -> DeltaTable:
        with self._reasons(table):
            return DeltaTable.create(
                self._uri(table),
                _schema(table),
                name=table.name,
                description=table.meaning,
                storage_options=self._options,
            )

    def _uri(self, table: Table) -> str:
        return f"{self._root}/{table.name}"

    @contextmanager
    def _reasons(self, table: Table) -> Iterator[None]:
        """Turn the library's errors into an `ExportError` of one line."""
        try:
            yield
        except CommitFailedError as error:
            raise ExportError(f"{self.place}/{table.name}: another program changed the table meanwhile") from error
        except (DeltaError, OSError) as error:
            raise ExportError(f"{self.place}/{table.name}: {one_line(error)}") from error


def _library_uri(place: str) -> str:
    """A place as delta-rs names it."""
    return f"s3://{place.partition('://')[2]}" if scheme(place) in ("s3a", "s3n") else place


def _options(place: str) -> dict[str, str]:
    """Settings for delta-rs; keys are taken from the environment by itself."""
    found = environment_settings(place)
    return {**found, **({"allow_http": "true"} if is_without_tls(found) else {})}


def _schema(table: Table) -> DeltaSchema:
    """A table's schema, with what its columns mean as comments."""
    commented = [pa.field(each.name, each.type, metadata={"comment": each.meaning}) for each in table.fields]
    return DeltaSchema.from_arrow(pa.schema(commented))


def _fields(schema: DeltaSchema) -> dict[str, str]:
    return {field.name: str(field.type) for field in schema.fields}
