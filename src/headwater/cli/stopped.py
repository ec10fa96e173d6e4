"""`Stopped`: a command that a signal ends, with one line and the exit code that shells expect of it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from headwater.runtime.stopping import end_all, is_postponed

_SIGNALS = {signal.SIGINT: "interrupted", signal.SIGTERM: "ended by SIGTERM"}
_SHELL = 128
"""What shells add to the number of a signal."""


class Stopped(BaseException):
    """A signal that ends the command. No handler of errors, nor click's of KeyboardInterrupt, takes it for its own."""

    def __init__(self, number: int) -> None:
        super().__init__(_SIGNALS[signal.Signals(number)])
        self.code = _SHELL + number


@contextmanager
def stopped_by_signals() -> Iterator[list[Stopped]]:
    """Raise `Stopped` when one of the signals arrives; what was raised is listed, for it may be lost on its way.

    A signal that the caller ignores, as `nohup` does, stays ignored.
    """
    raised: list[Stopped] = []

    def stop(number: int, frame: FrameType | None) -> None:
        if not is_postponed(number):
            raised.append(Stopped(number))
            end_all()
            raise raised[-1]

    before = {each: signal.getsignal(each) for each in _SIGNALS}
    taken = [each for each, handler in before.items() if handler is not signal.SIG_IGN]
    try:
        for each in taken:
            signal.signal(each, stop)
        yield raised
    finally:
        for each in taken:
            signal.signal(each, before[each])
