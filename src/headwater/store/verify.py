"""Checks a store as a whole: every file of every snapshot, byte by byte."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from headwater.store import format_1, page_checksums
from headwater.store.checksum import Damaged
from headwater.store.current import KEY as CURRENT
from headwater.store.current import Current
from headwater.store.layout import MARKER, DamagedStore, Store, StoreError
from headwater.store.local_files import check_file
from headwater.store.manifest import Manifest, SnapshotFile, manifest_key

_FILES_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Damage:
    """A file that is not as it was written."""

    key: str
    reason: str
    """The end of a sentence that begins with the file's name."""
    numbers: tuple[int, ...]
    """The snapshots that cannot be used because of it; none if it is not a snapshot's."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found."""

    snapshots: tuple[Manifest, ...]
    """Those whose manifests can be read, oldest first."""
    files: int
    bytes: int
    without_checksum: int
    """Files of which only the size is known, and what Parquet itself keeps."""
    damages: tuple[Damage, ...]

    @property
    def damaged_snapshots(self) -> frozenset[int]:
        """The numbers of the snapshots that cannot be used."""
        return frozenset(number for damage in self.damages for number in damage.numbers)


def verify(store: Store) -> Verified:
    """Check a store. Raises `StoreError` where there is none."""
    own = _marker_damage(store)
    is_format_1 = store.format() == format_1.FORMAT
    manifests, damages = (format_1.manifests(store.storage), []) if is_format_1 else _manifests(store)
    used: dict[SnapshotFile, list[Manifest]] = {}
    for manifest in manifests:
        for file in manifest.files():
            used.setdefault(file, []).append(manifest)
    with ThreadPoolExecutor(_FILES_AT_ONCE) as pool:
        reasons = pool.map(lambda file: _file_damage(store, file, used[file]), used)
        for file, reason in zip(used, reasons, strict=True):
            if reason:
                damages.append(Damage(file.key, reason, tuple(manifest.number for manifest in used[file])))
    without = sum(not _checksum(file, used[file]) for file in used)
    size = sum(file.size for file in used)
    return Verified(tuple(manifests), len(used), size, without, (*own, *damages))


def _marker_damage(store: Store) -> list[Damage]:
    """What is wrong with the file that makes a place a store. Then the present format is assumed, so that the rest can be checked."""
    try:
        if store.format() is not None:
            return []
        if not store.numbers_with(Current()).listed:
            raise StoreError(f"there is no store in {store.place}")
        reason = "is missing"
    except DamagedStore as error:
        reason = error.reason
    store.assume_marker()
    return [Damage(MARKER, reason, ())]


def _manifests(store: Store) -> tuple[list[Manifest], list[Damage]]:
    """The manifests that can be read, and what is wrong with the others."""
    damages = []
    try:
        numbers = store.numbers()
    except DamagedStore as error:
        damages.append(Damage(CURRENT, error.reason, ()))
        numbers = store.numbers_with(Current())
    found = []
    for number in numbers.usable:
        try:
            found.append(store.manifest(number))
        except DamagedStore as error:
            damages.append(Damage(manifest_key(number), error.reason, (number,)))
    damages += (Damage(manifest_key(number), "is missing", (number,)) for number in sorted(numbers.missing))
    return found, damages


def _checksum(file: SnapshotFile, manifests: list[Manifest]) -> str:
    return next((sums for manifest in manifests if (sums := manifest.checksums.get(file.key, ""))), "")


def _file_damage(store: Store, file: SnapshotFile, manifests: list[Manifest]) -> str:
    """What is wrong with a file; empty if nothing is."""
    expected = _checksum(file, manifests)
    try:
        with _on_disk(store, file) as path:
            check_file(path, file.size, expected)
            if not expected and path.suffix == ".parquet":
                _read_pages(path)
    except Damaged as error:
        return str(error)
    return ""


@contextmanager
def _on_disk(store: Store, file: SnapshotFile) -> Iterator[Path]:
    """A file on this machine; of a remote store, a copy that is made for this purpose, so that the cache does not hide a damage."""
    if store.storage.folder is not None:
        yield store.storage.folder / file.key
        return
    with tempfile.TemporaryDirectory(prefix="headwater-") as scratch:
        path = Path(scratch) / f"copy{Path(file.key).suffix}"
        with suppress(FileNotFoundError):
            store.storage.download(file.key, path)
        yield path


def _read_pages(path: Path) -> None:
    """Read a Parquet file, whose pages have checksums of their own if Spark or we have written it."""
    try:
        with pq.ParquetFile(path, **page_checksums.READ) as file:
            for _ in file.iter_batches():
                pass
    except (OSError, pa.ArrowException) as error:
        raise Damaged(f"is damaged: {' '.join(str(error).split())[:200]}") from error
