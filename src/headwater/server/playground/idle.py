"""The playground's processes between two questions: the one that was used last is used next, and those that nobody needs end.

A process holds some 80 MB and starts in about a second. So after a crowd all but a few end when they have been idle for a while.
"""

from __future__ import annotations

from collections import deque
from time import monotonic

from headwater.budget.process import Worker
from headwater.server.playground.limits import Limits


class IdleWorkers:
    """Processes that wait for a question, least recently used first."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._workers: deque[tuple[Worker, float]] = deque()
        """Each with the time since when it is idle."""

    def __len__(self) -> int:
        return len(self._workers)

    @property
    def too_many(self) -> bool:
        """Whether some will end if nobody needs them."""
        return len(self._workers) > self._limits.kept

    def take(self) -> Worker:
        """The process that was used last, or a new one; raises `Unavailable`."""
        while self._workers:
            worker, _ = self._workers.pop()
            if worker.usable:
                return worker
            worker.stop()
        return Worker()

    def add(self, worker: Worker) -> None:
        """Keep a process that has given its answer."""
        self._workers.append((worker, monotonic()))

    def end_unused(self, now: float) -> None:
        """End processes that have been idle for long, all but the few that are kept."""
        while self.too_many and self._workers[0][1] + self._limits.idle <= now:
            self._workers.popleft()[0].stop(patience=0)

    def stop(self) -> None:
        """End all processes."""
        while self._workers:
            self._workers.pop()[0].stop()
