"""A snapshot's files on this machine: where they are, if the store is a folder; else copies in the user's cache.

A file of a store never changes, so a copy is good for ever. Copies of snapshots that were not used lately are removed.

Files are checked before they are opened: all of them for their size; and once in a process for their checksum, if a table's files are
small enough that this takes no time worth mentioning. `headwater store verify` checks the others too.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from uuid import uuid4

from headwater.storage import Storage, StorageError
from headwater.storage.uri import join
from headwater.store.checksum import Damaged, checksum
from headwater.store.manifest import SnapshotFile

GO_BACK = "to use the snapshots that are whole: headwater store repair"
"""What a message about damage ends with, before the store's place."""
_FILES_AT_ONCE = 8
_MAX_UNUSED_BUILDS = 4
"""Builds whose files stay in the cache although the snapshot in use does not list them."""
MAX_CHECKED_BYTES = 64 * 2**20
"""Bytes of one table that are checked when it is opened: less than a tenth of a second."""


def cache_folder() -> Path:
    """Where copies of remote files are: HEADWATER_CACHE, or the user's cache folder."""
    named = os.environ.get("HEADWATER_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "headwater"


class LocalFiles:
    """The files of one store, to be opened by path."""

    def __init__(self, storage: Storage, store_id: str) -> None:
        self._storage = storage
        name = blake2b(f"{storage.uri} {store_id}".encode(), digest_size=8).hexdigest()
        self._folder = storage.folder or cache_folder() / "stores" / name

        self._checked: set[str] = set()

    def uri(self, file: SnapshotFile) -> str:
        """A file as Spark names it."""
        return join(self._storage.uri, file.key)

    def path(self, file: SnapshotFile) -> Path:
        """Where a file is on this machine, if it is there."""
        return self._folder / file.key

    def paths(self, files: Sequence[SnapshotFile], checksums: Mapping[str, str]) -> list[Path]:
        """The paths of files, which are checked. Files of a remote store are downloaded first, if they are not in the cache."""
        content = sum(file.size for file in files) <= MAX_CHECKED_BYTES
        sums = checksums if content else {}
        with ThreadPoolExecutor(_FILES_AT_ONCE) as pool:
            return list(pool.map(lambda file: self._whole(file, sums.get(file.key, "")), files))

    def check(self, tables: Mapping[str, Sequence[SnapshotFile]], checksums: Mapping[str, str]) -> None:
        """Check all files of a snapshot where they are: on disks as when they are opened, elsewhere for their size."""
        if self._storage.folder is not None:
            for files in tables.values():
                self.paths(files, checksums)
            return
        folders = {f"{file.key.partition('/')[0]}/" for files in tables.values() for file in files}
        sizes = {found.key: found.size for folder in folders for found in self._storage.files(folder)}
        for file in (file for files in tables.values() for file in files):
            if sizes.get(file.key) != file.size:
                raise StorageError(f"{self.uri(file)} is damaged or missing; {GO_BACK} {self._storage.uri}")

    def _whole(self, file: SnapshotFile, expected: str) -> Path:
        path = self.path(file)
        try:
            self._check(file, expected)
        except Damaged as error:
            if self._storage.folder is not None:
                raise StorageError(f"{path} {error}; {GO_BACK} {self._storage.folder}") from error
            self._download(file, path)
            self._check_download(file, expected)
        return path

    def _check(self, file: SnapshotFile, expected: str) -> None:
        """Raise `Damaged` if the file on this machine is not what was written."""
        check_file(self.path(file), file.size, "" if file.key in self._checked else expected)
        if expected:
            self._checked.add(file.key)

    def _check_download(self, file: SnapshotFile, expected: str) -> None:
        try:
            self._check(file, expected)
        except Damaged as error:
            raise StorageError(f"{self.uri(file)} {error}; {GO_BACK} {self._storage.uri}") from error

    def _download(self, file: SnapshotFile, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
        try:
            self._storage.download(file.key, beside)
            os.replace(beside, path)
        except FileNotFoundError as error:
            raise StorageError(f"{self.uri(file)} is missing: the snapshot was removed, or is damaged") from error
        finally:
            beside.unlink(missing_ok=True)

    def derived(self, snapshot: str) -> Path:
        """A folder for what can be made again from a snapshot: in the store itself if it is a folder that can be written."""
        own = self._folder / "cache" / snapshot
        with suppress(OSError):
            own.mkdir(parents=True, exist_ok=True)
            if os.access(own, os.W_OK):
                return own
        name = blake2b(str(self._folder).encode(), digest_size=8).hexdigest()
        elsewhere = cache_folder() / "stores" / name / "cache" / snapshot
        elsewhere.mkdir(parents=True, exist_ok=True)
        return elsewhere

    def forget_others(self, used: Sequence[SnapshotFile]) -> None:
        """Remove copies of builds that a snapshot does not list, but for the latest ones."""
        if self._storage.folder is not None:
            return
        data = self._folder / "data"
        builds = {file.key.split("/")[1] for file in used if file.key.startswith("data/")}
        others = sorted(each.name for each in data.iterdir() if each.name not in builds) if data.is_dir() else []
        for name in others[:-_MAX_UNUSED_BUILDS]:
            shutil.rmtree(data / name, ignore_errors=True)


def check_file(path: Path, size: int, expected: str) -> None:
    """Raise `Damaged` if a file is missing, has another size, or has another checksum than the expected one, if there is one."""
    try:
        found = path.stat().st_size
        if found != size:
            raise Damaged(f"is damaged: it has {found} of {size} bytes")
        if expected and checksum(path) != expected:
            raise Damaged("is damaged: its checksum does not fit its content")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise Damaged("is missing: the snapshot was removed, or is damaged") from error
    except OSError as error:
        raise Damaged(f"cannot be read: {error.strerror}") from error


def is_whole(file: SnapshotFile, path: Path) -> bool:
    """Whether a file is there and has its size."""
    try:
        check_file(path, file.size, "")
    except Damaged:
        return False
    return True
