"""Sessions that a program stops: what has ended is recorded before, because the server answers no questions afterwards.

The method `stop` of a session object is wrapped; the end of the capture puts it back.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from headwater.spark.capturing.listener import Ended

_STOP = "stop"


class Stopping:
    """Calls a function before each of some sessions stops."""

    def __init__(self, ended: Ended) -> None:
        self._ended = ended
        self._wrapped: list[tuple[Any, Callable[[], Any]]] = []

    def of(self, spark: Any) -> None:
        """Call it before this session stops."""
        stop = self._stopping(spark.stop)
        setattr(spark, _STOP, stop)
        self._wrapped.append((spark, stop))

    def stop(self) -> None:
        """The methods are the sessions' own again, unless somebody else has wrapped them since: then ours only pass on."""
        self._ended = _ignored
        for spark, ours in self._wrapped:
            if vars(spark).get(_STOP) is ours:
                delattr(spark, _STOP)
        self._wrapped.clear()

    def _stopping(self, method: Callable[[], Any]) -> Callable[[], Any]:
        def stop() -> Any:
            with suppress(Exception):
                self._ended()
            return method()

        return stop


def _ignored() -> None:
    """Nobody waits any more."""
