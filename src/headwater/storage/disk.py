"""Files of this machine, shared folders and mounted volumes among them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from headwater.storage.interface import StorageError, StoredFile
from headwater.storage.uri import spark_uri

_TEMPORARY = ".tmp-"
"""How the names of files begin that are not complete."""


class Disk:
    """The files below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self.uri = spark_uri(str(self.folder))

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
        with _reasons(), self._written_beside(key, content) as beside:
            os.replace(beside, self.folder / key)
            _flush(self.folder / key, self.folder)

    def create(self, key: str, content: bytes) -> bool:
        """Write a small file if it does not exist: a hard link to a complete file, which fails if the name is taken."""
        path = self.folder / key
        with _reasons(), self._written_beside(key, content) as beside:
            try:
                os.link(beside, path)
            except FileExistsError:
                return False
            except OSError:  # a file system without hard links
                return _create(path, content)
            _flush(path.parent, self.folder)
            return True

    @contextmanager
    def _written_beside(self, key: str, content: bytes) -> Iterator[Path]:
        path = self.folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f"{_TEMPORARY}{uuid4().hex[:12]}")
        try:
            _write(beside, content, os.O_CREAT | os.O_EXCL)
            yield beside
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)

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
                path.unlink(missing_ok=True)
                for above in path.relative_to(self.folder).parents:
                    try:
                        (self.folder / above).rmdir() if above.name else None
                    except OSError:
                        break

    def upload(self, source: Path, key: str) -> None:
        """Copy a local file to a key."""
        target = self.folder / key
        with _reasons():
            target.parent.mkdir(parents=True, exist_ok=True)
            beside = target.with_name(f"{_TEMPORARY}{uuid4().hex[:12]}")
            try:
                os.link(source, beside)
            except OSError:
                shutil.copyfile(source, beside)
            os.replace(beside, target)

    def download(self, key: str, target: Path) -> None:
        """Copy a file to a local path."""
        with _reasons():
            shutil.copyfile(self.folder / key, target)

    def flush(self, prefix: str) -> None:
        """Write the files with a prefix, and the folders they are in, through to the disk."""
        with _reasons():
            for at, _, names in os.walk(self.folder / prefix):
                for name in names:
                    _flush(Path(at, name), Path(at, name))
                _flush(Path(at), Path(at))
            _flush(self.folder / prefix, self.folder)


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


def _create(path: Path, content: bytes) -> bool:
    try:
        _write(path, content, os.O_CREAT | os.O_EXCL)
    except FileExistsError:
        return False
    return True


def _write(path: Path, content: bytes, flags: int) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | flags, 0o666), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _flush(path: Path, upto: Path) -> None:
    """Write a file or folder through to the disk, and the folders above it up to one of them."""
    at = path
    while True:
        with suppress(OSError):  # some file systems do not flush folders
            handle = os.open(at, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        if at == upto or at == at.parent:
            return
        at = at.parent
