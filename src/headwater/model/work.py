"""What the statement at hand may still cost, checked where its cost can grow faster than its text.

Three things are counted: the columns behind the stars of a statement, its relations, and time. The checks are called once per step
that is small in itself: a SELECT, a star, a statement of a program, a piece of a script. A check that fails ends the work with an
exception that no `except Exception` takes for a defect.

Time has two limits. What takes longer than a *turn* in the user's process goes to a worker, which can be killed. What is not done at
the *end* of the script's time is not done at all. Each thread has limits of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from time import monotonic

MAX_COLUMNS = 100_000
"""Columns behind the stars of one statement."""
MAX_RELATIONS = 2_000_000
"""Relations of one statement: some 500 MB."""


class OutOfTime(BaseException):
    """A turn has ended, or the time of the script."""


class TooLarge(BaseException):
    """A statement has more of something than it may have."""

    def __init__(self, message: str, option: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = f"allow more with {option}, or take the statement apart"


@dataclass(frozen=True, slots=True)
class WorkLimits:
    """How many columns and relations one statement may have; None is no limit."""

    columns: int | None = MAX_COLUMNS
    relations: int | None = MAX_RELATIONS

    def check_columns(self, count: int) -> None:
        """End the work on a statement that has too many columns behind its stars."""
        if self.columns is not None and count > self.columns:
            message = f"{count:,} columns behind `*`: the limit is {self.columns:,} (--max-columns)"
            raise TooLarge(message, "--max-columns")

    def check_relations(self, count: int) -> None:
        """End the work on a statement that has too many relations."""
        if self.relations is not None and count > self.relations:
            message = f"{count:,} relations: the limit is {self.relations:,} (--max-relations)"
            raise TooLarge(message, "--max-relations")


@dataclass(slots=True)
class _Work:
    """What is being done in a thread."""

    limits: WorkLimits = field(default_factory=WorkLimits)
    end: float = inf
    turn: float = inf
    """Seconds."""
    deadline: float = inf


class _OfThread(threading.local):
    def __init__(self) -> None:
        self.work = _Work()


_thread = _OfThread()


def limits() -> WorkLimits:
    """The limits of the statement at hand."""
    return _thread.work.limits


def check_time() -> None:
    """End the work if its time is up."""
    if monotonic() > _thread.work.deadline:
        raise OutOfTime


def begin_turn() -> None:
    """Begin another part of the work that may take as long as a turn."""
    work = _thread.work
    if work.turn < inf:
        work.deadline = min(monotonic() + work.turn, work.end)


def seconds_left() -> float:
    """Seconds until all of the time is up."""
    return _thread.work.end - monotonic()


def is_over() -> bool:
    """Whether all of the time is up, not just that of a turn."""
    return monotonic() > _thread.work.end


@contextmanager
def limited(allowed: WorkLimits, seconds: float = inf, turn: float = inf) -> Iterator[None]:
    """Hold to limits what is done inside, and to *seconds* for all of it."""
    before = _thread.work
    end = monotonic() + seconds
    _thread.work = _Work(allowed, end, turn, min(end, monotonic() + turn))
    try:
        yield
    finally:
        _thread.work = before
