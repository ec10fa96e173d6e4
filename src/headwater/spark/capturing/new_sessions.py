"""Sessions that a program makes of one that is captured: they are captured, too.

The methods that make sessions are wrapped, of one session object; `stop` puts them back.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

_MAKERS = ("newSession", "cloneSession")


class NewSessions:
    """Tells of each session that is made of others."""

    def __init__(self, follow: Callable[[Any], None]) -> None:
        """*follow* is called with each new session; what it raises is not the program's concern."""
        self._follow = follow
        self._wrapped: list[tuple[Any, str, Callable[..., Any]]] = []

    def of(self, spark: Any) -> None:
        """Tell of the sessions that are made of this one, and of those."""
        for name in _MAKERS:
            with suppress(Exception):  # Spark Connect of PySpark 3.5 says what it lacks by an exception of its own
                made = self._making(getattr(spark, name))
                setattr(spark, name, made)
                self._wrapped.append((spark, name, made))

    def stop(self) -> None:
        """The methods are the sessions' own again, unless somebody else has wrapped them since: then ours only pass on."""
        self._follow = _ignored
        for spark, name, ours in self._wrapped:
            if vars(spark).get(name) is ours:
                delattr(spark, name)
        self._wrapped.clear()

    def _making(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def make(*args: Any, **named: Any) -> Any:
            session = method(*args, **named)
            with suppress(Exception):
                self.of(session)
                self._follow(session)
            return session

        return make


def _ignored(session: Any) -> None:
    """Nobody listens any more."""
