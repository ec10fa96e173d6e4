"""Files of this machine, shared folders and mounted volumes among them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from uuid import uuid4

from headwater.storage.interface import StorageError, StoredFile
from headwater.storage.system_calls import SystemCalls
from headwater.storage.uri import spark_uri

_TEMPORARY = ".tmp-"
"""How the names of files begin that are not complete."""
RESERVED = ".reserved"
"""How the names of files end that reserve a name, on a disk without hard links."""


class Disk:
    """The files below a folder."""

    def __init__(self, folder: Path, calls: SystemCalls | None = None) -> None:
        self.folder = folder.absolute()
        self.uri = spark_uri(str(self.folder))
        self._calls = calls or SystemCalls()

    def read(self, key: str) -> bytes:
        """Read a file."""
        try:
            with _reasons():
                return (self.folder / key).read_bytes()
        except StorageError as error:
            if isinstance(error.__cause__, NotADirectoryError):
                raise FileNotFoundError(f"{self.folder / key}") from error
            raise

    def write(self, key: str, content: bytes) -> None:
        """Write a small file, or replace it."""
        path = self.folder / key
        with _reasons(), self._written_beside(path, content) as beside:
            self._calls.replace(beside, path)
            self._calls.flush(path.parent)

    def create(self, key: str, content: bytes) -> bool:
        """Write a small file if it does not exist: a hard link to a complete file, which fails if the name is taken."""
        path = self.folder / key
        with _reasons(), self._written_beside(path, content) as beside:
            try:
                self._calls.link(beside, path)
            except FileExistsError:
                return False
            except OSError:  # a file system without hard links
                if not self._move_to_reserved(beside, path):
                    return False
            self._calls.flush(path.parent)
            return True

    def _move_to_reserved(self, beside: Path, path: Path) -> bool:
        """Rename a file to a name that must not exist. Only who has created the name's reservation may do that."""
        reservation = path.with_name(path.name + RESERVED)
        try:
            self._calls.create(reservation, b"")
        except FileExistsError:
            return False
        if path.exists():
            self._calls.remove(reservation)
            return False
        self._calls.replace(beside, path)
        self._calls.remove(reservation)
        return True

    @contextmanager
    def _written_beside(self, path: Path, content: bytes) -> Iterator[Path]:
        self._make_folder(path.parent)
        beside = path.with_name(f"{_TEMPORARY}{uuid4().hex[:12]}")
        try:
            self._calls.create(beside, content)
            self._calls.flush(beside)
            yield beside
        finally:
            with suppress(OSError):
                self._calls.remove(beside)

    def _make_folder(self, folder: Path) -> None:
        """Make a folder and those above it, each of which survives a power failure."""
        missing = list(takewhile(lambda each: not each.is_dir(), (folder, *folder.parents)))
        for each in reversed(missing):
            self._calls.make_folder(each)
            self._calls.flush(each.parent)

    def files(self, prefix: str) -> list[StoredFile]:
        """List files."""
        with _reasons():
            return sorted(self._walk(self.folder / prefix))

    def _walk(self, folder: Path) -> Iterator[StoredFile]:
        for at, _, names in os.walk(folder):
            for name in names:
                path = Path(at, name)
                with suppress(FileNotFoundError):
                    about = path.stat()
                    if not name.startswith(_TEMPORARY):
                        yield StoredFile(path.relative_to(self.folder).as_posix(), about.st_size, about.st_mtime)

    def delete(self, keys: Iterable[str]) -> None:
        """Delete files, and the folders that are empty then."""
        with _reasons():
            for key in keys:
                path = self.folder / key
                self._calls.remove(path)
                for above in path.relative_to(self.folder).parents:
                    try:
                        self._calls.remove_folder(self.folder / above) if above.name else None
                    except OSError:
                        break

    def clear(self, prefix: str) -> None:
        """Delete all files with a prefix, unfinished ones too; as far as that is possible."""
        folder = self.folder / prefix
        for at, folders, names in os.walk(folder, topdown=False):
            with suppress(OSError):
                for name in names:
                    self._calls.remove(Path(at, name))
                for name in folders:
                    self._calls.remove_folder(Path(at, name))
        with suppress(OSError):
            self._calls.remove_folder(folder)
            self._calls.remove_folder(folder.parent)

    def upload(self, source: Path, key: str) -> None:
        """Copy a local file to a key."""
        target = self.folder / key
        with _reasons():
            self._make_folder(target.parent)
            beside = target.with_name(f"{_TEMPORARY}{uuid4().hex[:12]}")
            try:
                self._calls.link(source, beside)
            except OSError:
                self._calls.copy(source, beside)
            self._calls.replace(beside, target)

    def download(self, key: str, target: Path) -> None:
        """Copy a file to a local path."""
        with _reasons():
            shutil.copyfile(self.folder / key, target)

    def flush(self, prefix: str) -> None:
        """Write the files with a prefix, and the folders they are in, through to the disk."""
        with _reasons():
            for at, _, names in os.walk(self.folder / prefix):
                for name in names:
                    self._calls.flush(Path(at, name))
                self._calls.flush(Path(at))
            for above in Path(prefix).parents:
                self._calls.flush(self.folder / above)


@contextmanager
def _reasons() -> Iterator[None]:
    """Turn what the operating system refuses into `StorageError`; a missing file stays what it is."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise StorageError(f"{where}{error.strerror or error}") from error
