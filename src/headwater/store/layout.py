"""Where things are in a store, and how a new snapshot becomes the current one.

    lineage/
      store.json               the number of the format, and the store's id
      current.json             the number of the newest snapshot, so that a missing manifest is noticed
      snapshots/00000007.json  a snapshot's manifest: which files it consists of; the highest number is the current snapshot
      data/<build>/<table>/…   the files that builds wrote; they never change
      work/<build>/…           what a build under way exchanges between its tasks
      cache/<snapshot>/…       what can be made again (on disks only)

A build writes its data first, and creates the manifest with the next number last. Creating fails if that number exists: so of two builds
that started from the same snapshot one is published, and the other one fails and names the first. Readers see the old snapshot or the new
one, at any time, and whenever a build is killed. There is no lock. The numbers are the order of the snapshots, whatever the clock says.

Manifests hold the size and the checksum of each file that they list, and the small JSON files hold their own. Readers check what they open.
`headwater store verify` checks everything; `headwater store repair` drops the snapshots that are damaged, and removes nothing.
"""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING
from uuid import uuid4

from headwater.storage import Storage, StorageError, open_storage
from headwater.store import format_1
from headwater.store.build_id import is_dead
from headwater.store.checksum import Damaged, sealed, unsealed
from headwater.store.current import KEY as CURRENT
from headwater.store.current import Current, read_current, write_current
from headwater.store.local_files import GO_BACK, LocalFiles
from headwater.store.manifest import FOLDER, Manifest, manifest_key, manifest_number
from headwater.store.numbers import Numbers
from headwater.store.schema import FORMAT
from headwater.store.snapshot import Snapshot

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

StoreError = StorageError
"""A store that cannot be used. The message says what to do."""

MARKER = "store.json"
_OURS = (MARKER, CURRENT, FOLDER, "data/", "work/", "cache/")
_NAME = re.compile(r"\d{8}T\d{6}-\d+-\w+")
"""A snapshot's name, which is not taken for a time if there is no such snapshot."""
_REMOTE_LISTING_SECONDS = 5.0
"""How long the list of a remote store's snapshots is trusted."""


class DamagedStore(StoreError):
    """A file of a store that is missing, or not as it was written."""

    def __init__(self, place: str, key: str, reason: object) -> None:
        super().__init__(f"{place}/{key} {reason}; {GO_BACK} {place}")
        self.reason = str(reason)


class NoSnapshot(StoreError):
    """A snapshot that the store does not have. The message says which there are."""


class Store:
    """A store: a folder of this machine, or a URI."""

    def __init__(self, place: str | os.PathLike[str], spark: SparkSession | None = None) -> None:
        self.place = os.fspath(place)
        self.storage: Storage = open_storage(place, spark)
        self._manifests: dict[str, Manifest] = {}
        self._listed: tuple[float, Numbers] | None = None
        self._read_marker: dict[str, object] | None = None
        self._assumed_marker: dict[str, object] | None = None

    @property
    def name(self) -> str:
        """The last part of its place."""
        return self.storage.uri.rstrip("/").rpartition("/")[2]

    @property
    def exists(self) -> bool:
        """Whether there is a store with a snapshot."""
        found = self.format()
        return bool(self._all() if found == format_1.FORMAT else self._numbers().usable) if found is not None else False

    def create(self) -> None:
        """Make the place a store, or bring a store of an earlier format to this one."""
        found = self.check()
        if found == FORMAT:
            return
        if found is not None:
            format_1.write_manifests(self.storage)
        self.mark(uuid4().hex)
        if found is not None:
            format_1.forget_current(self.storage)

    def mark(self, id: str) -> None:
        """Write that the place is a store with an id."""
        self.storage.write(MARKER, sealed({"format": FORMAT, "id": id}))
        self._listed, self._read_marker = None, None

    def check(self) -> int | None:
        """Refuse a place that neither is a store nor can become one. Returns the format of the store, if it is one."""
        found = self.format()
        if found is not None:
            return found
        folder = self.storage.folder
        if folder is not None:
            above = [path for path in (folder, *folder.parents) if path.exists() and not path.is_dir()]
            if above:
                raise StoreError(f"{above[0]} is a file; a store is a folder")
        files = self.storage.files("")
        if any(not file.key.startswith(_OURS) for file in files):
            raise StoreError(f"{self.place} holds other things and is no store; name a new or empty folder")
        if any(manifest_number(file.key) is not None for file in files):
            raise self._damage(MARKER, "is missing")
        return None

    def format(self) -> int | None:
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
        if self._assumed_marker is not None or (self._read_marker is not None and self.storage.folder is None):
            return self._assumed_marker or self._read_marker
        try:
            content = self.storage.read(MARKER)
        except FileNotFoundError:
            return None
        try:
            found = unsealed(content)
            self._read_marker = {"format": found["format"], "id": found.get("id", "")}
        except KeyError as error:
            raise self._damage(MARKER, "is damaged: it names no format") from error
        except Damaged as error:
            raise self._damage(MARKER, error) from error
        return self._read_marker

    def assume_marker(self) -> None:
        """Take the place for a store of the present format from now on, whatever its marker says."""
        self._assumed_marker = {"format": FORMAT, "id": ""}

    @property
    def id(self) -> str:
        """What tells the store apart from others that were at the same place."""
        return str((self._marker() or {}).get("id", ""))

    def names(self) -> list[str]:
        """The names of the snapshots, oldest first."""
        return [manifest.name for manifest in self._all()]

    def snapshot(self, as_of: str | None = None) -> Snapshot:
        """The current snapshot, or the last one up to a time (`2026-11-15`, `20261115T1200`), or the one with a name."""
        if self.format() is None:
            raise StoreError(f"there is no store in {self.place}; make one with: headwater build SQL -o {self.place}")
        if as_of is not None:
            return self._opened(self._named(as_of))
        newest = self._newest()
        if newest is None:
            raise StoreError(f"the store in {self.place} has no snapshot yet; run: headwater build")
        return newest

    def newest_of(self, numbers: Numbers) -> Snapshot | None:
        """The newest snapshot, if there is one."""
        if numbers.is_newest_missing:
            raise self._damage(manifest_key(max(numbers.missing)), "is missing")
        return self._opened(self.manifest(numbers.usable[-1])) if numbers.usable else None

    def _opened(self, manifest: Manifest) -> Snapshot:
        return Snapshot(self._files(), manifest)

    def _files(self) -> LocalFiles:
        return LocalFiles(self.storage, self.id if self.storage.folder is None else "")

    def _newest(self) -> Snapshot | None:
        if self.format() == format_1.FORMAT:
            return next((self._opened(manifest) for manifest in self._all()[::-1]), None)
        return self.newest_of(self._numbers())

    def _all(self) -> list[Manifest]:
        """The manifests of all snapshots, oldest first; a snapshot that another process removes meanwhile is left out."""
        if self.format() == format_1.FORMAT:
            return format_1.manifests(self.storage)
        numbers = self._numbers()
        if numbers.missing:
            raise self._damage(manifest_key(max(numbers.missing)), "is missing")
        found = []
        for number in numbers.usable:
            try:
                found.append(self.manifest(number))
            except FileNotFoundError:
                continue
        return found

    def _numbers(self) -> Numbers:
        trusted = 0.0 if self.storage.folder is not None else _REMOTE_LISTING_SECONDS
        now = time.monotonic()
        if self._listed is not None and now - self._listed[0] < trusted:
            return self._listed[1]
        return self.numbers()

    def numbers(self) -> Numbers:
        """The numbers of all snapshots, as the storage lists them now."""
        current = self.current()  # before the manifests are listed: a snapshot that it names is listed then
        self._listed = time.monotonic(), self.numbers_with(current)
        return self._listed[1]

    def numbers_with(self, current: Current) -> Numbers:
        """The numbers of all snapshots, as they are if `current.json` says this."""
        return Numbers.of((file.key for file in self.storage.files(FOLDER)), current)

    def current(self) -> Current:
        """What `current.json` says."""
        try:
            return read_current(self.storage)
        except Damaged as error:
            raise self._damage(CURRENT, error) from error

    def make_current(self, number: int) -> None:
        """Write that there is a snapshot with a number."""
        write_current(self.storage, Current(number, self.current().dropped))
        self._listed = None

    def manifest(self, number: int) -> Manifest:
        """The manifest with a number."""
        key = manifest_key(number)
        if key not in self._manifests:
            try:
                found = Manifest.from_json(self.storage.read(key))
                if found.number != number or (found.store and self.id not in ("", found.store)):
                    raise Damaged("is not of this store, or was copied from another snapshot's")
            except Damaged as error:
                raise self._damage(key, error) from error
            self._manifests[key] = found
        return self._manifests[key]

    def _damage(self, key: str, reason: object) -> DamagedStore:
        return DamagedStore(self.place, key, reason)

    def _named(self, as_of: str) -> Manifest:
        found = {manifest.name: manifest for manifest in self._all()}
        if as_of in found:
            return found[as_of]
        if _NAME.fullmatch(as_of):
            raise NoSnapshot(f"there is no snapshot {as_of}; there are: {', '.join(found) or 'none'}")
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
        old = numbers.usable[:-keep]
        names = [self.manifest(number).name for number in old]
        leaving = [number for number in numbers.listed if old and number < numbers.usable[-keep]]
        superseded = {key for number in leaving for key in self._listed_by(number) or ()}
        for number in leaving:  # one after the other, so that none is missing between two others
            self.storage.delete([manifest_key(number)])
        self._delete_unlisted(leftovers | superseded, self.numbers())
        return names

    def sweep(self) -> None:
        """Remove what builds that died have left."""
        leftovers = self._of_dead_builds()
        self._all()
        self._delete_unlisted(leftovers, self._numbers())

    def _delete_unlisted(self, keys: set[str], numbers: Numbers) -> None:
        """Delete files that no snapshot lists. If a manifest is damaged, nobody knows what it lists: then all data stays."""
        listed = [self._listed_by(number) for number in numbers.listed]
        unknown = numbers.has_lost or None in listed
        kept = {key for each in listed for key in each or ()}
        self.storage.delete(key for key in sorted(keys - kept) if not (unknown and key.startswith(("data/", FOLDER))))

    def _listed_by(self, number: int) -> set[str] | None:
        """The files that a snapshot lists; None if its manifest is damaged."""
        try:
            return {file.key for file in self.manifest(number).files()}
        except FileNotFoundError:  # removed meanwhile
            return set()
        except StoreError:
            return None

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
