"""`Meter`: counts what templates do, each against limits of its own, and stops one that exceeds them.

A template may have another one rendered: the clock of the outer one stands still meanwhile. Templates are rendered in a process of their
own, which is killed if one does not end. Where no process can be started, a timer ends what counts nothing, as far as Python lets it;
that works in the main thread, where commands and Spark's workers render.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from jinja2.exceptions import SecurityError

from headwater.source.template_limits import TemplateLimits
from headwater.source.template_watch import one_template

_GRACE = 0.5
"""Seconds after which the timer ends what has not looked at the clock."""


class LimitExceeded(SecurityError):
    """A template that exceeds a limit; the message names the limit."""


@dataclass(slots=True)
class _Count:
    """What one template has done."""

    deadline: float
    steps: int = 0
    characters: int = 0


class Meter:
    """Counts for the template that is rendered now."""

    def __init__(self, limits: TemplateLimits) -> None:
        self.limits = limits
        self._now = _Count(float("inf"))

    @contextmanager
    def template(self) -> Iterator[None]:
        """Count one template anew, and go on with the one before when it ends."""
        outer, start = self._now, time.monotonic()
        self._now = _Count(start + self.limits.seconds)
        try:
            with one_template(), _alarm(self.limits.seconds, self._ring):
                yield
        finally:
            outer.deadline += time.monotonic() - start
            self._now = outer

    def step(self, steps: int) -> None:
        """Count work."""
        now = self._now
        now.steps += steps
        if now.steps > self.limits.steps:
            raise LimitExceeded(f"it does too much: more than {self.limits.steps:,} steps")
        if time.monotonic() > now.deadline:
            self._ring()

    def write(self, characters: int) -> None:
        """Count text."""
        now = self._now
        now.characters += characters
        if now.characters > self.limits.characters:
            raise LimitExceeded(
                f"it makes too much text: more than {self.limits.characters:,} characters (--template-size)"
            )
        self.step(characters)

    def unwrite(self, characters: int) -> None:
        """Take back what was counted of a text that is counted again."""
        self._now.characters -= characters
        self._now.steps -= characters

    def _ring(self) -> None:
        raise LimitExceeded(f"it takes longer than {self.limits.seconds:g} seconds (--template-timeout)")


@contextmanager
def _alarm(seconds: float, ring: Callable[[], None]) -> Iterator[None]:
    """Ring after some seconds, and again until the block ends; an outer alarm waits meanwhile."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda *_: ring())
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE, 1.0)
    try:
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:  # it may have rung just now
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, left, interval)
