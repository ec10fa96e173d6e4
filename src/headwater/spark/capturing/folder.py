"""Where captured jobs are written: a folder of this machine, or a URI.

A job is written when it is first met; that it ran again is counted, and written once a minute by its hash alone. A disk that takes
nothing any more costs lineage, not the program: what could not be written is tried again with the next line, up to a bound.

A file on a disk gets each line as soon as it is there. Objects cannot be added to: every few seconds, new lines become another object.
"""

from __future__ import annotations

import errno
import json
import os
import time
from collections import deque
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from uuid import uuid4

from headwater.captured.line import ENDING
from headwater.sql.statement import query_hash
from headwater.storage import Storage, StorageError, local_path, open_storage

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_EVERY = 60.0
"""Seconds between two lines that say a job ran again."""
_ROOM = 10_000
"""Lines that wait for a disk to take them; of more, the first are given up."""
_SECONDS_PER_OBJECT = 5.0
"""How long lines wait before they become an object."""
_MAX_LINES_PER_OBJECT = 1_000


class Owner(Protocol):
    """Whose jobs they are."""

    @property
    def app(self) -> str:
        """The name of the application."""

    @property
    def user(self) -> str:
        """Who runs it."""


class Folder:
    """Captured jobs of one program, in a file or objects of its own."""

    def __init__(self, folder: str | os.PathLike[str], owner: Owner, spark: SparkSession | None = None) -> None:
        begun = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%S")
        name = f"{begun}-{os.getpid()}-{uuid4().hex[:8]}"
        path = local_path(os.fspath(folder))
        self._target: _File | _Objects
        if path is not None:
            self._target = _File(path.absolute() / f"{name}{ENDING}")
        else:
            self._target = _Objects(open_storage(folder, spark), name)
        self._owner = owner
        self._met: set[str] = set()
        self._again: dict[str, list[float]] = {}
        self._told = time.monotonic()
        self._lines: deque[str] = deque(maxlen=_ROOM)

    def add(self, content: str, moment: float) -> None:
        """A job that ran. May raise OSError; the job is not forgotten then."""
        hash = query_hash(content)
        if hash in self._met:
            self._again.setdefault(hash, []).append(moment)
            return
        self._met.add(hash)
        self._line(hash, [moment], content)
        self._target.write(self._lines)

    def tidy(self, now: bool = False) -> None:
        """Write what is due. May raise OSError."""
        due = now or time.monotonic() - self._told > _EVERY
        if due:
            self._told = time.monotonic()
            again, self._again = self._again, {}
            for hash, moments in again.items():
                self._line(hash, moments)
        if self._lines and (due or self._target.waits):
            self._target.write(self._lines, now)

    def _line(self, hash: str, moments: list[float], content: str = "") -> None:
        said: dict[str, Any] = {"hash": hash, "app": self._owner.app, "user": self._owner.user, "seen": len(moments)}
        said |= {"first": _written(min(moments)), "last": _written(max(moments))}
        line = json.dumps(said, ensure_ascii=False)
        self._lines.append(f'{line[:-1]}, "job": {content}}}\n' if content else f"{line}\n")


class _File:
    """A file to which lines are added, each with one write."""

    waits = False
    """Whether lines wait before they are written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._torn = ""

    def write(self, lines: deque[str], now: bool = False) -> None:
        """Write lines, and remove those that are written. May raise OSError."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        place = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            while lines:
                data = (self._torn + lines[0]).encode("utf-8", "backslashreplace")
                if os.write(place, data) < len(data):
                    self._torn = "\n"
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                self._torn = ""
                lines.popleft()
        finally:
            os.close(place)


class _Objects:
    """Objects of some lines each."""

    waits = True

    def __init__(self, storage: Storage, name: str) -> None:
        self._storage = storage
        self._name = name
        self._count = 0
        self._written = time.monotonic()

    def write(self, lines: deque[str], now: bool = False) -> None:
        """Write lines if they have waited for long enough, and remove those that are written. May raise OSError."""
        due = time.monotonic() - self._written > _SECONDS_PER_OBJECT or len(lines) >= _MAX_LINES_PER_OBJECT
        if not (now or due):
            return
        self._written = time.monotonic()
        data = "".join(lines).encode("utf-8", "backslashreplace")
        try:
            self._storage.write(f"{self._name}-{self._count:06d}{ENDING}", data)
        except StorageError as error:
            raise OSError(str(error)) from error
        self._count += 1
        lines.clear()


def _written(moment: float) -> str:
    return datetime.fromtimestamp(moment, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
