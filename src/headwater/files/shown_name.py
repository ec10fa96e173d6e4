"""Names of files as text: a file system takes any bytes for a name, stores and formats take UTF-8."""

from __future__ import annotations

import os


def shown_name(path: str) -> str:
    r"""A path as it is stored and shown: bytes that are not UTF-8 are written as `\xe9`.

    >>> shown_name("caf\udce9.sql")
    'caf\\xe9.sql'
    """
    try:
        path.encode()
    except UnicodeEncodeError:
        return os.fsencode(path).decode("utf-8", "backslashreplace")
    return path


def exists(path: str | os.PathLike[str]) -> bool:
    """Whether there is a file or folder; a name that is too long, or no name at all, is none."""
    try:
        os.stat(path)
    except (OSError, ValueError):
        return False
    return True
