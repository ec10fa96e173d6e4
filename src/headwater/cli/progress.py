"""How far a long run has come: one line on a terminal that erases itself, and nothing anywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

from headwater.cli.cells import head, visible

_PATIENCE = 1.0
"""Seconds before anything is shown."""
_PAUSE = 0.1
"""Seconds between two changes of the line."""
_WIDTH = 79


class Progress:
    """`12 of 120 scripts: mart/sales.sql`, from the second that a run takes more than one."""

    def __init__(
        self,
        total: int,
        stream: TextIO | None,
        clock: Callable[[], float] = time.monotonic,
        unit: str = "scripts",
    ) -> None:
        """Without a *stream* nothing is shown."""
        self._total = total
        self._unit = unit
        self._stream = stream
        self._clock = clock
        self._due = clock() + _PATIENCE
        self._done = 0
        self._shown = False

    @classmethod
    def on_terminal(cls, total: int, wanted: bool, unit: str = "scripts") -> Progress:
        """On standard error, if that is a terminal."""
        return cls(total, sys.stderr if wanted and total > 1 and sys.stderr.isatty() else None, unit=unit)

    def step(self, name: str) -> None:
        """Begin with another one."""
        self._done += 1
        if self._stream is not None and self._clock() >= self._due:
            self._due = self._clock() + _PAUSE
            line = head(f"{self._done} of {self._total} {self._unit}: {visible(name)}", _WIDTH)
            self._write(f"\r\x1b[2K{line}")
            self._shown = True

    def clear(self) -> None:
        """Erase the line, for something else to be printed."""
        if self._shown:
            self._write("\r\x1b[2K")
            self._shown = False

    def _write(self, text: str) -> None:
        if self._stream is not None:
            self._stream.write(text)
            self._stream.flush()
