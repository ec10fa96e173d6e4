"""Where things lie in a store's folder, and how a new snapshot becomes the current one.

    lineage/
      store.json            the format's number
      current               the name of the current snapshot, nothing else
      snapshots/<name>/     one folder per table, `run.json`, and the graph's arrays
      work/<build>/         a build under way

A snapshot is written under `work/`, moved into place as a whole, and then named in `current` by replacing that file: a reader sees the old
snapshot or the new one, whenever it looks and whenever the writer dies. A lock makes builds into one store wait for their turn to switch.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from headwater.store.identity import identify
from headwater.store.links import link
from headwater.store.schema import FORMAT
from headwater.store.snapshot import Snapshot


class StoreError(Exception):
    """A store that cannot be used; the message says what to do."""


class NoSnapshot(StoreError):
    """A snapshot that the store does not have; the message says which there are."""


class Store:
    """A store's folder."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).absolute()

    @property
    def exists(self) -> bool:
        """Whether there is a store with a snapshot."""
        return (self.path / "current").is_file()

    def create(self) -> None:
        """Make the folder a store, if it is not one yet and can be one."""
        self.check()
        marker = self.path / "store.json"
        if not marker.is_file():
            self.path.mkdir(parents=True, exist_ok=True)
            _replace(marker, json.dumps({"format": FORMAT}) + "\n")

    def check(self) -> None:
        """Refuse what neither is a store nor can become one: one of another format, a file, a folder with other things in it."""
        marker = self.path / "store.json"
        if marker.is_file():
            self._check(marker)
        elif above := [path for path in (self.path, *self.path.parents) if path.exists() and not path.is_dir()]:
            raise StoreError(f"{above[0]} is a file; a store is a folder")
        elif self.path.is_dir() and any(self.path.iterdir()):
            raise StoreError(f"{self.path} holds other things and is no store; name a new or empty folder")

    def _check(self, marker: Path) -> None:
        try:
            found = json.loads(marker.read_text())["format"]
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{marker} is damaged; build into a new folder") from error
        if found != FORMAT:
            raise StoreError(
                f"{self.path} was written in format {found}, this version reads format {FORMAT}: build it anew"
            )

    def names(self) -> list[str]:
        """The snapshots' names, oldest first."""
        folder = self.path / "snapshots"
        return sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []

    def snapshot(self, as_of: str | None = None) -> Snapshot:
        """The current snapshot, or the last one up to a time (`2026-11-15`, `20261115T1200`) or of a name."""
        marker = self.path / "store.json"
        if not marker.is_file():
            raise StoreError(f"there is no store in {self.path}; make one with: headwater build SQL -o {self.path}")
        self._check(marker)
        if as_of is not None:
            return Snapshot(self.path / "snapshots" / self._named(as_of))
        try:
            name = (self.path / "current").read_text().strip()
        except FileNotFoundError as error:
            raise StoreError(f"the store in {self.path} has no snapshot yet; run: headwater build") from error
        return Snapshot(self.path / "snapshots" / name)

    def _named(self, as_of: str) -> str:
        names = self.names()
        if as_of in names:
            return as_of
        digits = "".join(c for c in as_of if c.isdigit()).ljust(20, "9")
        before = [name for name in names if "".join(c for c in name.partition("-")[0] if c.isdigit()) <= digits]
        if not before:
            raise NoSnapshot(f"no snapshot is as old as {as_of}; there are: {', '.join(names) or 'none'}")
        return before[-1]

    @contextmanager
    def build(self) -> Iterator[Path]:
        """A folder for a build under way; it is gone afterwards, whatever happens."""
        folder = self.path / "work" / f"{os.getpid()}-{_host()}-{uuid4().hex[:12]}"
        folder.mkdir(parents=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            with suppress(OSError):
                folder.parent.rmdir()

    def pin(self, folder: Path) -> Snapshot | None:
        """The current snapshot, if there is one, in a folder of its own: it stays there, whoever builds or prunes meanwhile."""
        while self.exists:
            current = self.snapshot()
            try:
                shutil.copytree(current.path, folder, copy_function=link)
                return Snapshot(folder)
            except (FileNotFoundError, shutil.Error):
                shutil.rmtree(folder, ignore_errors=True)
                if self.snapshot().name == current.name:
                    raise
        return None

    def publish(self, folder: Path) -> Snapshot:
        """Make a finished folder the current snapshot."""
        snapshots = self.path / "snapshots"
        snapshots.mkdir(exist_ok=True)
        _flush(folder)
        with self._turn():
            self._remove_unnamed()
            name = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{self._next_number():06d}-{uuid4().hex[:6]}"
            os.replace(folder, snapshots / name)
            _replace(self.path / "current", name + "\n")
        return Snapshot(snapshots / name)

    def _next_number(self) -> int:
        """The number behind that of the last snapshot: two of one second are told apart by it."""
        names = self.names()
        number = names[-1].split("-")[1] if names else ""
        return int(number) + 1 if number.isdigit() else 0

    def _remove_unnamed(self) -> None:
        """Remove snapshots of builds that died before they were named; whoever holds the turn knows that nobody else is at it."""
        current = self.snapshot().name if self.exists else ""
        for name in self.names():
            if name > current:
                shutil.rmtree(self.path / "snapshots" / name, ignore_errors=True)

    def prune(self, keep: int) -> list[str]:
        """Remove all but the newest snapshots, never the current one; and what dead builds left behind."""
        with self._turn():
            current = self.snapshot().name
            old = [name for name in self.names()[: -keep or None] if name != current]
            for name in old:
                shutil.rmtree(self.path / "snapshots" / name, ignore_errors=True)
            for left in self.path.glob(".current.*"):  # nobody else writes one during this turn
                left.unlink(missing_ok=True)
        self.sweep()
        return old

    def sweep(self) -> None:
        """Remove the work of builds that are no longer running."""
        work = self.path / "work"
        for each in list(work.iterdir()) if work.is_dir() else []:
            process, _, rest = each.name.partition("-")
            here = rest.startswith(
                f"{_host()}-"
            )  # what runs on other machines that share the folder is theirs to judge
            if process.isdigit() and here and not _runs(int(process)):
                shutil.rmtree(each, ignore_errors=True)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """One switch at a time; a lock that its owner left behind is taken over."""
        lock = self.path / "lock"
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
                break
            except FileExistsError:
                with suppress(FileNotFoundError):
                    if time.time() - lock.stat().st_mtime > _STALE:
                        lock.unlink()
                if time.monotonic() > deadline:
                    raise StoreError(f"another build holds {lock}; remove it if no build is running") from None
                time.sleep(0.05)
        try:
            yield
        finally:
            with suppress(FileNotFoundError):
                lock.unlink()


_STALE = 30.0
"""Seconds after which a switch, which takes milliseconds, must have died."""
_PATIENCE = 60.0


def _replace(path: Path, content: str) -> None:
    """Write a small file so that nobody ever sees half of it."""
    beside = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
    with beside.open("w") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


def _flush(folder: Path) -> None:
    """Have the files of a folder on the disk before anything points at them."""
    for each in folder.rglob("*"):
        if each.is_file():
            with each.open("rb") as file:
                os.fsync(file.fileno())


def _host() -> str:
    return identify(platform.node()).to_bytes(8, "little", signed=True).hex()[:8]


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
