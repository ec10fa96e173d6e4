"""What must end with this process when a signal ends it: Java, which would answer nobody's questions any more.

The command's handler of signals calls `end_all` before it raises; where it must not raise yet, it is told to wait (`postponed`).
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_ends: list[Callable[[], None]] = []
_postponed: list[list[int]] = []


@contextmanager
def ended_by_signals(end: Callable[[], None]) -> Iterator[None]:
    """Call a function if a signal ends the process meanwhile."""
    _ends.append(end)
    try:
        yield
    finally:
        _ends.remove(end)


def end_all() -> None:
    """End what is to end, the latest first."""
    for end in reversed(_ends):
        end()


@contextmanager
def postponed() -> Iterator[list[int]]:
    """Have the first signal wait that arrives meanwhile; `deliver` has it arrive."""
    waiting: list[int] = []
    _postponed.append(waiting)
    try:
        yield waiting
    finally:
        _postponed.remove(waiting)


def is_postponed(number: int) -> bool:
    """Whether a signal waits; a second one does not."""
    if not _postponed or _postponed[-1]:
        return False
    _postponed[-1].append(number)
    return True


def deliver(waiting: list[int]) -> None:
    """Have signals arrive that have waited."""
    for number in waiting:
        signal.raise_signal(number)
