"""A snapshot: its tables as Arrow data, the record of its build, its digest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from headwater.storage import StorageError
from headwater.store.local_files import LocalFiles
from headwater.store.manifest import Manifest, SnapshotFile
from headwater.store.schema import ADDED, TABLES
from headwater.store.table_files import TableFiles


class Snapshot:
    """The result of one build. It never changes."""

    def __init__(self, files: LocalFiles, manifest: Manifest) -> None:
        self._files = files
        self.manifest = manifest

    @property
    def name(self) -> str:
        """Its name, which begins with the time of its build."""
        return self.manifest.name

    @property
    def run(self) -> Mapping[str, Any]:
        """What the build says about itself."""
        return self.manifest.run

    def files(self, table: str) -> Sequence[SnapshotFile]:
        """The files of a table."""
        return self.manifest.tables.get(table, ())

    def uris(self, table: str) -> list[str]:
        """The files of a table, as Spark names them."""
        return [self._files.uri(file) for file in self.files(table)]

    def paths(self, table: str) -> list[Path]:
        """The files of a table, on this machine, checked; those of a remote store are downloaded first."""
        return self._files.paths(self.files(table), self.manifest.checksums)

    def check(self) -> None:
        """Check all files: for what builds read, which open them by their URIs."""
        self._files.check(self.manifest.tables, self.manifest.checksums)

    def check_tables(self) -> None:
        """Check the files of the store's tables: for what would find a damage only after it has begun to write."""
        tables = {name: files for name, files in self.manifest.tables.items() if name in TABLES}
        self._files.check(tables, self.manifest.checksums)

    def derived(self) -> Path:
        """A folder of this machine for what can be made again from this snapshot."""
        return self._files.derived(self.name)

    def keep_only_this(self) -> None:
        """Remove copies of other snapshots' files, if there are many."""
        self._files.forget_others([*self.manifest.files()])

    def dataset(self, table: str) -> TableFiles:
        """A table, to be read in parts."""
        schema = TABLES[table].schema
        if table not in self.manifest.tables and table not in ADDED:
            raise StorageError(f"the snapshot {self.name} is damaged: it does not list the table {table}")
        return TableFiles(self.paths(table), schema, f"the table {table} of the snapshot {self.name}")

    def table(self, table: str, columns: list[str] | None = None) -> pa.Table:
        """A table, read whole."""
        return self.dataset(table).to_table(columns=columns)

    def digest(self) -> str:
        """The digest of the content of all tables, whatever the order of their rows and files. The run record is not part of it."""
        whole = blake2b(digest_size=16)
        for name in sorted(TABLES):
            content = self.table(name)
            keys = [(field.name, "ascending") for field in content.schema if not pa.types.is_list(field.type)]
            order = pc.sort_indices(content, sort_keys=keys)
            for column in content.take(order).columns:
                whole.update(repr(column.to_pylist()).encode("utf-8", "surrogatepass"))
            whole.update(f"\0{name}\0".encode())
        return whole.hexdigest()
