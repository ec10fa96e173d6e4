"""A snapshot's files on this machine: where they are, if the store is a folder; else copies in the user's cache.

A file of a store never changes, so a copy is good for ever. Copies of snapshots that were not used lately are removed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from uuid import uuid4

from headwater.storage import Storage, StorageError
from headwater.storage.uri import join
from headwater.store.manifest import SnapshotFile

_DOWNLOADS_AT_ONCE = 8
_MAX_UNUSED_BUILDS = 4
"""Builds whose files stay in the cache although the snapshot in use does not list them."""


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

    def uri(self, file: SnapshotFile) -> str:
        """A file as Spark names it."""
        return join(self._storage.uri, file.key)

    def paths(self, files: Sequence[SnapshotFile]) -> list[Path]:
        """The paths of files. Files of a remote store are downloaded first, if they are not in the cache."""
        found = [self._folder / file.key for file in files]
        if self._storage.folder is None:
            missing = [pair for pair in zip(files, found, strict=True) if not _is_whole(*pair)]
            if missing:
                with ThreadPoolExecutor(_DOWNLOADS_AT_ONCE) as pool:
                    list(pool.map(lambda pair: self._download(*pair), missing))
        return found

    def _download(self, file: SnapshotFile, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
        try:
            self._storage.download(file.key, beside)
            if beside.stat().st_size != file.size:
                raise StorageError(f"{self.uri(file)} is damaged: it has {beside.stat().st_size} of {file.size} bytes")
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


def _is_whole(file: SnapshotFile, path: Path) -> bool:
    try:
        return path.stat().st_size == file.size
    except OSError:
        return False
