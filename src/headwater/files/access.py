"""Reads files that were found, not named: what the roots in force do not allow is an `OSError` that says why."""

from __future__ import annotations

import errno
import os
from typing import IO

from headwater.files.roots import roots_in_force

MAX_BYTES = 256 * 1024 * 1024
"""Bytes of a file that is read whole."""
Path = str | bytes | os.PathLike[str]


def refusal(path: Path) -> str:
    """Why a file is not read; empty if it may be."""
    roots = roots_in_force()
    return roots.refusal(os.fsdecode(path)) if roots is not None else ""


def passes_over(path: Path) -> bool:
    """Whether a file is not read; the roots note it, for a line of warning."""
    roots = roots_in_force()
    return roots is not None and roots.passes_over(os.fsdecode(path))


def check_access(path: Path) -> None:
    """Raise a `PermissionError` for what may not be read."""
    reason = refusal(path)
    if reason:
        raise PermissionError(errno.EPERM, reason, os.fsdecode(path))


def read_bytes(path: Path, limit: int = MAX_BYTES) -> bytes:
    """What a file holds, if it is not larger than the limit."""
    with open_file(path) as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise OSError(errno.EFBIG, f"it has more than {limit:,} bytes", os.fsdecode(path))
    return content


def open_file(path: Path) -> IO[bytes]:
    """A file, opened for reading."""
    check_access(path)
    return open(path, "rb")
