"""Reads files that were found, not named: what the roots in force do not allow is an `OSError` that says why."""

from __future__ import annotations

import os
from typing import IO

from headwater.files.roots import roots_in_force

Path = str | os.PathLike[str]


def refusal(path: Path) -> str:
    """Why a file is not read; empty if it may be."""
    roots = roots_in_force()
    return roots.refusal(os.fspath(path)) if roots is not None else ""


def passes_over(path: Path) -> bool:
    """Whether a file is not read; the roots note it, for a line of warning."""
    roots = roots_in_force()
    return roots is not None and roots.passes_over(os.fspath(path))


def check_access(path: Path) -> None:
    """Raise a `PermissionError` for what may not be read."""
    reason = refusal(path)
    if reason:
        raise PermissionError(1, reason, os.fspath(path))


def read_bytes(path: Path) -> bytes:
    """What a file holds."""
    with open_file(path) as file:
        return file.read()


def open_file(path: Path) -> IO[bytes]:
    """A file, opened for reading."""
    check_access(path)
    return open(path, "rb")
