"""By what a build knows that a file has not changed since the build before, without reading it: as git does.

A file that was changed again has another time, unless that was within the same tick of the file system's clock. So a file that was changed
a moment ago has no stamp, and is read again in the next build.
"""

from __future__ import annotations

import glob
import os
import stat
import time
from collections.abc import Sequence

from headwater.files import shown_name
from headwater.store.identity import identify

NEVER = 0
"""In place of a stamp: no file has this one."""
MOMENT = 2.0
"""Seconds: no file system's clock has longer ticks."""


def file_stamp(path: str, *also: str) -> int:
    """A hash of what the file system says of a file, and of whatever *also* decides on what is read of it."""
    return files_stamp([path], *also)


def files_stamp(paths: Sequence[str], *also: str) -> int:
    """The stamp of several files together."""
    said = [*also]
    for path in paths:
        try:
            found = os.stat(path)
        except OSError:
            return NEVER
        if not stat.S_ISREG(found.st_mode) or max(found.st_mtime, found.st_ctime) > time.time() - MOMENT:
            return NEVER
        said += (
            shown_name(path),
            f"{found.st_dev} {found.st_ino} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}",
        )
    return identify("stamp", *said)


def remote_stamp(uri: str, size: int, modified: float) -> int:
    """The stamp of a file at a URI, by what its file system says of it."""
    return NEVER if modified > time.time() - MOMENT else identify("stamp", uri, f"{size} {modified}")


def files_below(pattern: str) -> list[str]:
    """The local files that a path, a folder or a pattern names, in order."""
    found: list[str] = []
    for path in glob.glob(pattern):
        found += (os.path.join(at, name) for at, _, names in os.walk(path) for name in names)
        found += [] if os.path.isdir(path) else [path]
    return sorted(found)
