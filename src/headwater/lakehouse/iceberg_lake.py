"""Iceberg tables, by pyiceberg: below a folder or URI, or in a catalog that the user has configured for pyiceberg."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from inspect import isclass
from itertools import count

import pyarrow as pa
from pyiceberg import exceptions
from pyiceberg.catalog import Catalog, load_catalog
from pyiceberg.exceptions import CommitFailedException, NoSuchTableError, ValidationException
from pyiceberg.io.pyarrow import bin_pack_record_batches, write_file
from pyiceberg.manifest import DataFile
from pyiceberg.schema import Schema
from pyiceberg.table import Table as IcebergTable
from pyiceberg.table import WriteTask
from pyiceberg.types import (
    BooleanType,
    IcebergType,
    IntegerType,
    ListType,
    LongType,
    NestedField,
    StringType,
    TimestamptzType,
)

from headwater.export.format import ExportError
from headwater.lakehouse.iceberg_folder import FolderCatalog
from headwater.lakehouse.reasons import one_line
from headwater.storage import StorageError
from headwater.storage.opening import refuse_password
from headwater.store.schema import Table

_CATALOG = "iceberg://"
_BYTES_PER_FILE = 128 * 2**20
"""Arrow data of a Parquet file, which is several times smaller."""
_PROPERTIES = {"format-version": "2", "commit.retry.num-retries": "0"}
"""A commit is not retried: pyiceberg would keep the files that another export has added meanwhile."""
_TYPES: dict[pa.DataType, IcebergType] = {
    pa.int64(): LongType(),
    pa.int32(): IntegerType(),
    pa.string(): StringType(),
    pa.bool_(): BooleanType(),
    pa.timestamp("us", tz="UTC"): TimestamptzType(),
}
_FIRST_ELEMENT_ID = 1000
_REFUSALS: tuple[type[Exception], ...] = (
    *(each for each in vars(exceptions).values() if isclass(each) and issubclass(each, Exception)),
    *(OSError, StorageError, ValueError),
)
"""Errors of the library, which have no common base, and of the places that it writes to."""


class IcebergLake:
    """The Iceberg tables of a folder, or of a namespace of a catalog."""

    def __init__(self, place: str) -> None:
        refuse_password(place)
        self.place = place.rstrip("/") or "/"
        with self._reasons(""):
            self._catalog, self._namespace = _catalog(place)

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
        with self._reasons(table.name):
            return table.schema.empty_table() if found is None else found.scan().to_arrow()

    def replace(self, table: Table, rows: pa.RecordBatchReader, facts: Mapping[str, str]) -> int:
        """Replace all rows of a table in one commit, which is one Iceberg snapshot."""
        iceberg = self._open(table) or self._create(table)
        with self._reasons(table.name):
            before = [task.file for task in iceberg.scan().plan_files()]
            files = list(_data_files(iceberg, rows))
            return _overwrite(iceberg, before, files, facts)

    def append(self, table: Table, rows: pa.Table, facts: Mapping[str, str]) -> None:
        """Append rows to a table in one commit."""
        iceberg = self._open(table) or self._create(table)
        with self._reasons(table.name):
            iceberg.append(rows, snapshot_properties=dict(facts))

    def _open(self, table: Table) -> IcebergTable | None:
        with self._reasons(table.name):
            try:
                return self._catalog.load_table((*self._namespace, table.name))
            except NoSuchTableError:
                return None

    def _create(self, table: Table) -> IcebergTable:
        properties = {**_PROPERTIES, "comment": table.meaning}
        with self._reasons(table.name):
            if self._namespace:
                self._catalog.create_namespace_if_not_exists(self._namespace)
            return self._catalog.create_table((*self._namespace, table.name), _schema(table), properties=properties)

    @contextmanager
    def _reasons(self, table: str) -> Iterator[None]:
        """Turn the library's errors into an `ExportError` of one line."""
        where = f"{self.place}/{table}".rstrip("/")
        try:
            yield
        except (CommitFailedException, ValidationException) as error:
            raise ExportError(f"{where}: another program changed the table meanwhile") from error
        except ModuleNotFoundError as error:
            raise ExportError(
                f"{where} needs {error.name}, which is not installed: pip install {error.name}"
            ) from error
        except _REFUSALS as error:
            raise ExportError(f"{where}: {one_line(error)}") from error


def _catalog(place: str) -> tuple[Catalog, tuple[str, ...]]:
    """The catalog and namespace of `iceberg://catalog/namespace`; a catalog without namespaces for a folder or URI."""
    if not place.startswith(_CATALOG):
        return FolderCatalog(place), ()
    name, _, namespace = place.removeprefix(_CATALOG).rstrip("/").partition("/")
    if not name or not namespace or "/" in namespace:
        raise ExportError(f"{place}: a catalog is named as {_CATALOG}CATALOG/NAMESPACE")
    return load_catalog(name), tuple(namespace.split("."))


def _overwrite(iceberg: IcebergTable, old: list[DataFile], new: list[DataFile], facts: Mapping[str, str]) -> int:
    """Put new files in the place of old ones, as one Iceberg snapshot; `Table.overwrite` would make two, the first without rows."""
    with (
        iceberg.transaction() as transaction,
        transaction.update_snapshot(snapshot_properties=dict(facts)).overwrite() as update,
    ):
        for file in old:
            update.delete_data_file(file)
        for file in new:
            update.append_data_file(file)
    return update.snapshot_id


def _data_files(iceberg: IcebergTable, rows: pa.RecordBatchReader) -> Iterator[DataFile]:
    """Write rows as Parquet files, one after the other: `write_file` takes all tasks at once, and would hold all rows."""
    schema, id, numbers = iceberg.schema(), uuid.uuid4(), count()
    for batches in bin_pack_record_batches(rows, _BYTES_PER_FILE):
        task = WriteTask(write_uuid=id, task_id=next(numbers), schema=schema, record_batches=batches)
        yield from write_file(iceberg.io, iceberg.metadata, iter([task]))


def _schema(table: Table) -> Schema:
    """A table's schema, with what its columns mean as documentation."""
    return Schema(
        *(
            NestedField(at, field.name, _type(field.type, at), required=False, doc=field.meaning)
            for at, field in enumerate(table.fields, 1)
        )
    )


def _type(type: pa.DataType, at: int) -> IcebergType:
    if pa.types.is_list(type):
        return ListType(_FIRST_ELEMENT_ID + at, _TYPES[type.value_type], element_required=False)
    return _TYPES[type]


def _fields(schema: Schema) -> dict[str, str]:
    return {field.name: str(field.field_type) for field in schema.fields}
