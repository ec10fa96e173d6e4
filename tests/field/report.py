"""What `make field` prints at its end: the time of each build, and the message of each build that could not run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple


class Fault(NamedTuple):
    """A build that met a fault."""

    case: str
    code: int
    published: str
    message: str


class Report:
    """Collected by the tests while they run."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.seconds: dict[str, float] = {}

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Note how long the block takes."""
        started = time.monotonic()
        yield
        self.seconds[what] = time.monotonic() - started

    def lines(self) -> Iterator[str]:
        """The report, as Markdown."""
        if self.seconds:
            yield from ("", "| what | seconds |", "|---|---|")
            yield from (f"| {what} | {seconds:.0f} |" for what, seconds in self.seconds.items())
        if self.faults:
            yield from ("", "| fault | exit code | published | message |", "|---|---|---|---|")
            for fault in self.faults:
                message = fault.message.replace("|", "\\|")
                yield f"| {fault.case} | {fault.code} | {fault.published} | {message} |"
