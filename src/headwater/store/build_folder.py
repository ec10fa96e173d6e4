"""A build under way: where its files go, and how they become a snapshot."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from headwater.storage import StorageError
from headwater.storage.uri import join
from headwater.store import page_checksums
from headwater.store.build_id import new_build_id
from headwater.store.checksum import checksum
from headwater.store.layout import Store
from headwater.store.local_files import LocalFiles, is_whole
from headwater.store.manifest import Manifest, SnapshotFile, manifest_key
from headwater.store.schema import TABLES
from headwater.store.snapshot import Snapshot

_FILES_AT_ONCE = 4


class AnotherBuild(StorageError):
    """Another build has published a snapshot since this one started."""


class BuildFolder:
    """Where one build writes its files."""

    def __init__(self, store: Store, scratch: Path) -> None:
        self._store = store
        self._storage = store.storage
        self.id = new_build_id()
        self.scratch = scratch
        """A folder of this machine for files that are not written by Spark."""
        numbers = store.numbers()
        self.previous = store.newest_of(numbers)
        """The snapshot that this build starts from."""
        if self.previous is not None:
            self.previous.check()
        self._number = numbers.next
        self._checksums: dict[str, str] = dict(self.previous.manifest.checksums) if self.previous is not None else {}
        self.published = False

    def uri(self, name: str) -> str:
        """Where Spark writes data that the snapshot may list."""
        return join(self._storage.uri, f"data/{self.id}/{name}")

    def work_uri(self, name: str) -> str:
        """Where Spark writes data that is removed when the build ends."""
        return join(self._storage.uri, f"work/{self.id}/{name}")

    def listed(self, name: str) -> list[SnapshotFile]:
        """The Parquet files that Spark has written to `uri(name)`."""
        found = self._storage.files(f"data/{self.id}/{name}/")
        return [SnapshotFile(file.key, file.size) for file in found if _is_data(file.key)]

    def write(self, name: str, table: pa.Table, number: int = 0) -> SnapshotFile:
        """Write a table that fits into memory."""
        path = self.scratch / f"{uuid4().hex}.parquet"
        schema = TABLES[name].schema if name in TABLES else table.schema
        pq.write_table(table.cast(schema), path, compression="zstd", **page_checksums.WRITE)
        return self.add(path, f"{name}/{number}.parquet")

    def add(self, source: Path, name: str) -> SnapshotFile:
        """Move a local file to the data that the snapshot may list."""
        key = f"data/{self.id}/{name}"
        size, self._checksums[key] = source.stat().st_size, checksum(source)
        self._storage.upload(source, key)
        source.unlink(missing_ok=True)
        return SnapshotFile(key, size)

    def snapshot(self, tables: Mapping[str, Sequence[SnapshotFile]]) -> Snapshot:
        """These files, as a snapshot that is not published yet."""
        return Snapshot(self._files(), self._manifest(self.id, {}, tables))

    def _manifest(self, name: str, run: Mapping[str, Any], tables: Mapping[str, Sequence[SnapshotFile]]) -> Manifest:
        listed = {file.key for files in tables.values() for file in files}
        sums = {key: self._checksums[key] for key in sorted(listed & self._checksums.keys())}
        return Manifest(self._number, name, run, tables, sums, self._store.id)

    def _files(self) -> LocalFiles:
        return LocalFiles(self._storage, self._store.id if self._storage.folder is None else "")

    def publish(self, tables: Mapping[str, Sequence[SnapshotFile]], run: Mapping[str, Any]) -> Snapshot:
        """Make these files the current snapshot. Raises `AnotherBuild` if another build was faster."""
        self._storage.flush(f"data/{self.id}")
        name = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{self._number:06d}-{uuid4().hex[:6]}"
        self._add_checksums(tables)
        manifest = self._manifest(name, run, tables)
        key = manifest_key(self._number)
        if self.is_overtaken() or not self._create(key, manifest.to_json()):
            raise self.lost()
        self.published = True
        with suppress(StorageError):  # the snapshot is published in any case
            self._store.make_current(self._number)
        self._remove_unlisted(tables)
        self._store.numbers()
        return Snapshot(self._files(), manifest)

    def _add_checksums(self, tables: Mapping[str, Sequence[SnapshotFile]]) -> None:
        """Add the checksums of files that Spark has written.

        In a remote store these are the ones that the driver has copied, because the graph is made of them. No file is read for its checksum
        alone: those that only builds read have none, but their pages have.
        """
        ours = [file for files in tables.values() for file in files if file.key.startswith(f"data/{self.id}/")]
        written = [file for file in ours if file.key not in self._checksums]
        local = [(file.key, path) for file in written if is_whole(file, path := self._files().path(file))]
        with ThreadPoolExecutor(_FILES_AT_ONCE) as pool:
            self._checksums.update(
                zip((key for key, _ in local), pool.map(checksum, (p for _, p in local)), strict=True)
            )

    def _create(self, key: str, content: bytes) -> bool:
        """Create the manifest. A request that was repeated may find its own result, so what is there is compared."""
        try:
            created = self._storage.create(key, content)
        except StorageError:
            self.published = True  # perhaps: its data must not be removed
            if self._has(key, content):
                return True
            raise
        return created or self._has(key, content)

    def _has(self, key: str, content: bytes) -> bool:
        try:
            return self._storage.read(key) == content
        except FileNotFoundError:
            return False

    def _remove_unlisted(self, tables: Mapping[str, Sequence[SnapshotFile]]) -> None:
        """Remove files of this build that its snapshot does not list: Spark's markers, and parts that were put together anew."""
        kept = {file.key for files in tables.values() for file in files}
        with suppress(StorageError):
            found = self._storage.files(f"data/{self.id}/")
            self._storage.delete([file.key for file in found if file.key not in kept])

    def is_overtaken(self) -> bool:
        """Whether another build has published a snapshot since this one started."""
        return self._store.numbers().next > self._number

    def lost(self) -> AnotherBuild:
        """The error that names the build that was faster."""
        other = self._store.manifest(max(self._store.numbers().usable, default=self._number))
        when, where = other.run.get("time", ""), other.run.get("host", "")
        by = f" on {where}" if where else ""
        return AnotherBuild(
            f"another build{by} published the snapshot {other.name} at {when or 'the same time'}, while this one was running; "
            "this one was not published: run it again"
        )


def _is_data(key: str) -> bool:
    return key.endswith(".parquet") and "/_temporary/" not in key


@contextmanager
def begin(store: Store) -> Iterator[BuildFolder]:
    """Start a build. Its work is removed when it ends, and its data too unless it was published."""
    with tempfile.TemporaryDirectory(prefix="headwater-", ignore_cleanup_errors=True) as scratch:
        folder = BuildFolder(store, Path(scratch))
        try:
            yield folder
        except Exception as error:  # whatever it is: files may be gone because another build has removed them
            if not folder.published and _is_overtaken(folder):
                raise folder.lost() from error
            raise
        finally:
            _remove(store, f"work/{folder.id}/")
            if not folder.published:
                _remove(store, f"data/{folder.id}/")


def _is_overtaken(folder: BuildFolder) -> bool:
    try:
        return folder.is_overtaken()
    except StorageError:
        return False


def _remove(store: Store, prefix: str) -> None:
    """Remove files; what cannot be removed now is removed by a later build."""
    with suppress(OSError, StorageError):
        store.storage.clear(prefix)
