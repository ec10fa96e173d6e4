"""The folder that captured jobs are kept in: files to which lines are added, each with one write.

A job is written when it is first met; that it ran again is counted, and written once a minute by its hash alone. A disk that takes
nothing any more costs lineage, not the program: what could not be written is tried again with the next line, up to a bound.
"""

from __future__ import annotations

import errno
import json
import os
import time
from collections import deque
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from uuid import uuid4

from headwater.captured.line import ENDING
from headwater.sql.statement import query_hash

_EVERY = 60.0
"""Seconds between two lines that say a job ran again."""
_ROOM = 10_000
"""Lines that wait for a disk to take them; of more, the first are given up."""


class Folder:
    """Captured jobs of one program, in a file of its own."""

    def __init__(self, folder: str | os.PathLike[str], app: str, user: str) -> None:
        begun = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%S")
        self.file = Path(folder).absolute() / f"{begun}-{os.getpid()}-{uuid4().hex[:8]}{ENDING}"
        self._who = {"app": app, "user": user}
        self._met: set[str] = set()
        self._again: dict[str, list[float]] = {}
        self._told = time.monotonic()
        self._lines: deque[str] = deque(maxlen=_ROOM)
        self._torn = ""

    def add(self, content: str, moment: float) -> None:
        """A job that ran. May raise OSError; the job is not forgotten then."""
        hash = query_hash(content)
        if hash in self._met:
            self._again.setdefault(hash, []).append(moment)
            return
        self._met.add(hash)
        self._line(hash, [moment], content)
        self._write()

    def tidy(self, now: bool = False) -> None:
        """Write what is due. May raise OSError."""
        if now or time.monotonic() - self._told > _EVERY:
            self._told = time.monotonic()
            again, self._again = self._again, {}
            for hash, moments in again.items():
                self._line(hash, moments)
            if self._lines:
                self._write()

    def _line(self, hash: str, moments: list[float], content: str = "") -> None:
        said: dict[str, Any] = {"hash": hash, **self._who, "seen": len(moments)}
        said |= {"first": _written(min(moments)), "last": _written(max(moments))}
        line = json.dumps(said, ensure_ascii=False)
        self._lines.append(f'{line[:-1]}, "job": {content}}}\n' if content else f"{line}\n")

    def _write(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        place = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            while self._lines:
                data = (self._torn + self._lines[0]).encode("utf-8", "backslashreplace")
                if os.write(place, data) < len(data):
                    self._torn = "\n"
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                self._torn = ""
                self._lines.popleft()
        finally:
            os.close(place)


def _written(moment: float) -> str:
    return datetime.fromtimestamp(moment, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
