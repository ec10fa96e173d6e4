"""The calls that change files on a disk, one by one, so that tests can end a process at each of them."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

_LOST = (errno.EIO, errno.ENOSPC, errno.EDQUOT)
"""Errors which say that what was written is lost."""


class SystemCalls:
    """Calls of the operating system."""

    def make_folder(self, path: Path) -> None:
        """Make a folder; another process may be faster."""
        path.mkdir(exist_ok=True)

    def create(self, path: Path, content: bytes) -> None:
        """Write a file that does not exist yet."""
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            file.write(content)

    def copy(self, source: Path, target: Path) -> None:
        """Copy a file's content."""
        shutil.copyfile(source, target)

    def link(self, source: Path, target: Path) -> None:
        """Give a file a second name, which must not exist."""
        os.link(source, target)

    def replace(self, source: Path, target: Path) -> None:
        """Give a file another name; what had that name is gone."""
        os.replace(source, target)

    def remove(self, path: Path) -> None:
        """Remove a file, if it exists."""
        path.unlink(missing_ok=True)

    def remove_folder(self, path: Path) -> None:
        """Remove a folder, which must be empty."""
        path.rmdir()

    def flush(self, path: Path) -> None:
        """Write a file's content, or a folder's list of names, through to the disk."""
        try:
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:  # some file systems flush no folders, or nothing
            if error.errno in _LOST:
                raise
