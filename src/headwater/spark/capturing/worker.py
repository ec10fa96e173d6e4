"""A thread of our own that does one thing after the other, behind a queue that never grows beyond its bound."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

_PATIENCE = 1.0
"""Seconds after which an idle worker looks whether there is something to tidy up."""


class Worker(Generic[T]):
    """Handles items in their order; what does not fit is counted, never waited for."""

    def __init__(self, handle: Callable[[T], None], tidy: Callable[[], None], room: int) -> None:
        self._handle = handle
        self._tidy = tidy
        self._queue: queue.Queue[T | None] = queue.Queue(room)
        self._dropped = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="headwater-capture", daemon=True)
        self._thread.start()

    def offer(self, item: T) -> None:
        """Take an item, if there is room."""
        try:
            self._queue.put_nowait(item)
        except queue.Full:
            with self._lock:
                self._dropped += 1

    def dropped(self) -> int:
        """How many items there was no room for, since this was last asked."""
        with self._lock:
            count, self._dropped = self._dropped, 0
            return count

    def drain(self, timeout: float) -> bool:
        """Wait until everything that was taken is handled; whether it is."""
        deadline = time.monotonic() + timeout
        with self._queue.all_tasks_done:
            while self._queue.unfinished_tasks and self._thread.is_alive():
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._queue.all_tasks_done.wait(min(left, _PATIENCE))
        return True

    def stop(self, timeout: float) -> bool:
        """Handle what was taken, and end; whether everything was handled."""
        handled = self.drain(timeout)
        with self._queue.mutex:
            self._queue.queue.clear()
            self._queue.queue.append(None)
            self._queue.not_empty.notify()
        self._thread.join(_PATIENCE)
        return handled

    def _run(self) -> None:
        while True:
            try:
                item = self._queue.get(timeout=_PATIENCE)
            except queue.Empty:
                self._tidy()
                continue
            if item is None:
                return
            try:
                self._handle(item)
                self._tidy()
            finally:
                self._queue.task_done()
