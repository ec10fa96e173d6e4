"""Where things are in a store, and how a new snapshot becomes the current one.

    lineage/
      store.json               the number of the format, and the store's id
      snapshots/00000007.json  a snapshot's manifest: which files it consists of; the highest number is the current snapshot
      data/<build>/<table>/…   the files that builds wrote; they never change
      work/<build>/…           what a build under way exchanges between its tasks
      cache/<snapshot>/…       what can be made again (on disks only)

A build writes its data first, and creates the manifest with the next number last. Creating fails if that number exists: so of two builds
that started from the same snapshot one is published, and the other one fails and names the first. Readers see the old snapshot or the new
one, at any time, and whenever a build is killed. There is no lock.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING
from uuid import uuid4

from headwater.storage import Storage, StorageError, open_storage
from headwater.store import format_1
from headwater.store.build_id import is_dead
from headwater.store.local_files import LocalFiles
from headwater.store.manifest import FOLDER, Manifest, manifest_key, manifest_number
from headwater.store.schema import FORMAT
from headwater.store.snapshot import Snapshot

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

StoreError = StorageError
"""A store that cannot be used. The message says what to do."""

_MARKER = "store.json"
_OURS = (_MARKER, FOLDER, "data/", "work/", "cache/")
_REMOTE_LISTING_SECONDS = 5.0
"""How long the list of a remote store's snapshots is trusted."""


class NoSnapshot(StoreError):
    """A snapshot that the store does not have. The message says which there are."""


class Store:
    """A store: a folder of this machine, or a URI."""

    def __init__(self, place: str | os.PathLike[str], spark: SparkSession | None = None) -> None:
        self.place = os.fspath(place)
        self.storage: Storage = open_storage(place, spark)
        self._manifests: dict[str, Manifest] = {}
        self._listed: tuple[float, list[int]] | None = None
        self._read_marker: dict[str, object] | None = None

    @property
    def name(self) -> str:
        """The last part of its place."""
        return self.storage.uri.rstrip("/").rpartition("/")[2]

    @property
    def exists(self) -> bool:
        """Whether there is a store with a snapshot."""
        return self._format() is not None and bool(self._all())

    def create(self) -> None:
        """Make the place a store, or bring a store of an earlier format to this one."""
        found = self.check()
        if found == FORMAT:
            return
        if found is not None and self.storage.folder is not None:
            format_1.upgrade(self.storage, self.storage.folder)
        content = json.dumps({"format": FORMAT, "id": uuid4().hex}) + "\n"
        self.storage.write(_MARKER, content.encode())
        self._listed, self._read_marker = None, None

    def check(self) -> int | None:
        """Refuse a place that neither is a store nor can become one. Returns the format of the store, if it is one."""
        found = self._format()
        if found is not None:
            return found
        folder = self.storage.folder
        if folder is not None:
            above = [path for path in (folder, *folder.parents) if path.exists() and not path.is_dir()]
            if above:
                raise StoreError(f"{above[0]} is a file; a store is a folder")
        if any(not file.key.startswith(_OURS) for file in self.storage.files("")):
            raise StoreError(f"{self.place} holds other things and is no store; name a new or empty folder")
        return None

    def _format(self) -> int | None:
        """The format of the store; None if there is none."""
        found = self._marker()
        if found is None:
            return None
        number = found.get("format")
        if number not in (FORMAT, format_1.FORMAT):
            raise StoreError(
                f"{self.place} was written in format {number}, this version reads format {FORMAT}: build it anew"
            )
        return int(number)

    def _marker(self) -> dict[str, object] | None:
        if self._read_marker is not None and self.storage.folder is None:
            return self._read_marker
        try:
            content = self.storage.read(_MARKER)
        except FileNotFoundError:
            return None
        try:
            found = json.loads(content)
            self._read_marker = {"format": found["format"], "id": found.get("id", "")}
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{self.place}/{_MARKER} is damaged; build into a new folder") from error
        return self._read_marker

    @property
    def id(self) -> str:
        """What tells the store apart from others that were at the same place."""
        return str((self._marker() or {}).get("id", ""))

    def names(self) -> list[str]:
        """The names of the snapshots, oldest first."""
        return [manifest.name for manifest in self._all()]

    def snapshot(self, as_of: str | None = None) -> Snapshot:
        """The current snapshot, or the last one up to a time (`2026-11-15`, `20261115T1200`), or the one with a name."""
        if self._format() is None:
            raise StoreError(f"there is no store in {self.place}; make one with: headwater build SQL -o {self.place}")
        if as_of is not None:
            return self._opened(self._named(as_of))
        newest = self._newest()
        if newest is None:
            raise StoreError(f"the store in {self.place} has no snapshot yet; run: headwater build")
        return self._opened(newest)

    def _opened(self, manifest: Manifest) -> Snapshot:
        return Snapshot(self._files(), manifest)

    def _files(self) -> LocalFiles:
        return LocalFiles(self.storage, self.id if self.storage.folder is None else "")

    def _newest(self) -> Manifest | None:
        if self._format() == format_1.FORMAT:
            return next(iter(self._all()[::-1]), None)
        numbers = self._numbers()
        return self.manifest(numbers[-1]) if numbers else None

    def _all(self) -> list[Manifest]:
        """The manifests of all snapshots, oldest first; a snapshot that another process removes meanwhile is left out."""
        if self._format() == format_1.FORMAT:
            return format_1.manifests(self.storage)
        found = []
        for number in self._numbers():
            try:
                found.append(self.manifest(number))
            except FileNotFoundError:
                continue
        return found

    def _numbers(self) -> list[int]:
        trusted = 0.0 if self.storage.folder is not None else _REMOTE_LISTING_SECONDS
        now = time.monotonic()
        if self._listed is not None and now - self._listed[0] < trusted:
            return self._listed[1]
        return self.numbers()

    def numbers(self) -> list[int]:
        """The numbers of all snapshots, as the storage lists them now."""
        found = (manifest_number(file.key) for file in self.storage.files(FOLDER))
        numbers = sorted(number for number in found if number is not None)
        self._listed = time.monotonic(), numbers
        return numbers

    def manifest(self, number: int) -> Manifest:
        """The manifest with a number."""
        key = manifest_key(number)
        if key not in self._manifests:
            self._manifests[key] = Manifest.from_json(f"{self.place}/{key}", self.storage.read(key))
        return self._manifests[key]

    def _named(self, as_of: str) -> Manifest:
        found = {manifest.name: manifest for manifest in self._all()}
        if as_of in found:
            return found[as_of]
        digits = "".join(c for c in as_of if c.isdigit()).ljust(20, "9")
        before = [name for name in found if "".join(c for c in name.partition("-")[0] if c.isdigit()) <= digits]
        if not before:
            raise NoSnapshot(f"no snapshot is as old as {as_of}; there are: {', '.join(found) or 'none'}")
        return found[before[-1]]

    def prune(self, keep: int) -> list[str]:
        """Remove all but the newest snapshots, and what builds that died have left. Returns the names of the removed snapshots.

        Files are listed before manifests: a file of a build that ends meanwhile is then listed by a manifest, and stays.
        """
        leftovers = self._of_dead_builds()
        numbers = self.numbers()
        old = [self.manifest(number) for number in numbers[:-keep]]
        kept = {file.key for n in numbers[-keep:] for files in self.manifest(n).tables.values() for file in files}
        superseded = {file.key for manifest in old for files in manifest.tables.values() for file in files}
        self.storage.delete(manifest_key(manifest.number) for manifest in old)
        self.storage.delete(sorted((superseded | leftovers) - kept))
        self._listed = None
        return [manifest.name for manifest in old]

    def sweep(self) -> None:
        """Remove what builds that died have left."""
        leftovers = self._of_dead_builds()
        listed = {file.key for manifest in self._all() for files in manifest.tables.values() for file in files}
        self.storage.delete(sorted(leftovers - listed))

    def _of_dead_builds(self) -> set[str]:
        """The files of builds that are over, published or not."""
        found: set[str] = set()
        for folder in ("data/", "work/", "cache/"):
            for file in self.storage.files(folder):
                build = file.key.split("/")[1]
                if folder == "cache/":
                    found |= {file.key} if self._is_gone(build) else set()
                elif is_dead(build):
                    found.add(file.key)
        return found

    def _is_gone(self, snapshot: str) -> bool:
        return snapshot not in self.names()
