"""A watchdog over Spark's workers: one that hangs in compiled code is ended, and its task is run again with more care."""

from __future__ import annotations

import faulthandler
import os
import time

_GRACE = 5.0
"""Seconds beyond a statement's budget after which its worker must hang: one that needs a process of its own is back before."""


class Watchdog:
    """Ends a worker that hangs: compiled code cannot be interrupted, and holds every other thread up.

    The interpreter's own watchdog, which needs no thread of Python's, ends the process; Spark then runs the task again, and this time it is
    `guarded`: whatever may kill or hang has a process of its own, with a deadline.
    """

    def __init__(self, timeout: float | None) -> None:
        from pyspark import TaskContext

        context = TaskContext.get()
        self.guarded = context is not None and context.attemptNumber() > 0
        self._timeout = None if self.guarded or timeout is None else timeout + _GRACE
        self._until = 0.0
        self._nowhere = open(os.devnull, "w")  # noqa: SIM115 - the watchdog writes there until it is stopped

    def look(self, more: float = 0.0) -> None:
        """Say that the worker is alive; what comes next may take so many seconds *more* than a statement."""
        if self._timeout is None:
            return
        until = time.monotonic() + self._timeout + more
        if abs(until - self._until) > 1:
            self._until = until
            faulthandler.dump_traceback_later(self._timeout + more, exit=True, file=self._nowhere)

    def pause(self) -> None:
        """Expect nothing until the next `look`: the worker waits for Spark to take what it gives."""
        faulthandler.cancel_dump_traceback_later()
        self._until = 0.0

    def stop(self) -> None:
        """There is nothing more to watch."""
        self.pause()
        self._nowhere.close()
