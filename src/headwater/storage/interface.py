"""What a storage can do. A storage has a root, and its files have keys: paths below the root, with `/`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Protocol


class StorageError(Exception):
    """A place that cannot be read or written. The message is one line and says what to do."""


class StoredFile(NamedTuple):
    """A file in a storage."""

    key: str
    size: int
    modified: float
    """Seconds since 1970."""


class Storage(Protocol):
    """The files below one root."""

    @property
    def uri(self) -> str:
        """The root, as Spark names it: always with a scheme."""

    @property
    def folder(self) -> Path | None:
        """The root as a folder of this machine; None if the files are elsewhere."""

    def read(self, key: str) -> bytes:
        """Read a file. Raises `FileNotFoundError` if it does not exist."""

    def write(self, key: str, content: bytes) -> None:
        """Write a small file, or replace it. Readers see the old content or the new content."""

    def create(self, key: str, content: bytes) -> bool:
        """Write a small file if it does not exist. Returns False if it exists: of two writers, exactly one succeeds."""

    def files(self, prefix: str) -> list[StoredFile]:
        """List the files whose keys start with a prefix that ends with `/` or is empty, sorted by key."""

    def delete(self, keys: Iterable[str]) -> None:
        """Delete files. Files that do not exist are ignored."""

    def clear(self, prefix: str) -> None:
        """Delete all files with a prefix that ends with `/`."""

    def upload(self, source: Path, key: str) -> None:
        """Copy a local file to a key."""

    def download(self, key: str, target: Path) -> None:
        """Copy a file to a local path. Raises `FileNotFoundError` if it does not exist."""

    def flush(self, prefix: str) -> None:
        """Make sure that the files with a prefix survive a power failure."""
