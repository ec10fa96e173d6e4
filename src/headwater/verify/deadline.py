"""A deadline for each of many short runs, kept by one thread: to start one for each run would cost more than the runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Thread

_NEVER = float("inf")


class Deadline:
    """Calls *stop* when a run takes too long."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._changed = Condition()
        self._until = _NEVER
        self._wakes = _NEVER
        """When the thread looks again by itself; a run that ends in time does not wake it."""
        self._over = False
        Thread(target=self._watch, daemon=True).start()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """What runs inside has that long."""
        with self._changed:
            self._until = time.monotonic() + seconds
            if self._wakes > self._until:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._until = _NEVER

    def close(self) -> None:
        """No other run will come."""
        with self._changed:
            self._over = True
            self._changed.notify()

    def _watch(self) -> None:
        with self._changed:
            while not self._over:
                now = time.monotonic()
                if self._until <= now:
                    self._until = _NEVER
                    self._stop()
                    continue
                self._wakes = self._until
                self._changed.wait(None if self._until == _NEVER else self._until - now)
                self._wakes = -_NEVER
