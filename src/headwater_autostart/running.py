"""The captures of this process: one for each application of Spark, or client of Spark Connect, from its first session on.

A capture ends with its Spark (`spark.stop()`), with the program, or with SIGTERM. Processes that a program forks inherit the list, and
nothing that runs: there, it begins anew.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
from contextlib import suppress
from types import FrameType
from typing import Any, NamedTuple

_SECONDS_TO_TERMINATE = 5.0
"""How long SIGTERM waits for the last jobs to be recorded."""
_log = logging.getLogger("headwater")


class _Capture(NamedTuple):
    spark: Any
    """Spark's context, or the client of Spark Connect."""
    capture: Any

    @property
    def is_over(self) -> bool:
        """Whether its Spark was stopped."""
        return getattr(self.spark, "_jsc", self) is None or bool(getattr(self.spark, "is_closed", False))


class Running:
    """Captures that run."""

    def __init__(self, sink: str) -> None:
        self._sink = sink
        self._reasons: set[str] = set()
        self._lock = threading.RLock()
        self._own()

    def _own(self) -> None:
        self._process = os.getpid()
        self._captures: list[_Capture] = []
        self._starting = False

    def made(self, session: Any) -> None:
        """Capture a session that was made, unless it is. Nothing is raised."""
        try:
            if os.getpid() != self._process:
                self._lock = threading.RLock()
                self._own()
            with self._lock:
                self._made(session)
        except Exception as error:  # noqa: BLE001 - whatever happens, the program goes on
            self._warn(_reason(error))

    def _warn(self, reason: str) -> None:
        """Warn of something once, however many applications the program starts."""
        if reason not in self._reasons:
            self._reasons.add(reason)
            _log.warning("jobs are not captured: %s", reason)

    def _made(self, session: Any) -> None:
        from headwater_autostart import sink

        spark = getattr(session, "_sc", None) or session.client
        if self._starting or not sink() or any(each.spark is spark for each in self._captures):
            return
        self._starting = True
        try:
            self._forget()
            self._start(session, spark)
        finally:
            self._starting = False

    def _start(self, session: Any, spark: Any) -> None:
        """Start a capture. It is in the list even if it fails: then it is not tried again for each session."""
        self._captures.append(_Capture(spark, None))
        from headwater.spark.capturing import capture

        self._captures[-1] = _Capture(spark, capture(session, sink=self._sink))
        _on_termination(self)

    def _forget(self) -> None:
        """End captures whose Spark is gone."""
        over = [each for each in self._captures if each.is_over]
        self._captures = [each for each in self._captures if not each.is_over]
        for each in over:
            if each.capture is not None:
                each.capture.stop()

    def stop(self) -> None:
        """End all captures of this process."""
        if os.getpid() == self._process:
            for each in list(self._captures):
                if each.capture is not None:
                    with suppress(Exception):
                        each.capture.stop()


def _reason(error: Exception) -> str:
    if isinstance(error, ImportError):
        return f"the program's Python cannot import headwater ({error})"
    said = str(error).strip().splitlines()
    return said[0] if said and isinstance(error, ValueError) else ": ".join([type(error).__name__, *said[:1]])


def _on_termination(running: Running) -> None:
    """Have SIGTERM wait for the last jobs, unless the program has a handler of its own; the process ends as without us."""

    def terminate(number: int, frame: FrameType | None) -> None:
        if os.getpid() == running._process:
            last = threading.Thread(
                target=running.stop, daemon=True
            )  # this thread may be in the middle of a call to Java
            last.start()
            last.join(_SECONDS_TO_TERMINATE)
        reset()
        os.kill(os.getpid(), number)

    def reset() -> None:
        if signal.getsignal(signal.SIGTERM) is terminate:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)

    in_main = threading.current_thread() is threading.main_thread()
    if in_main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, terminate)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=reset)
