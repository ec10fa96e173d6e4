"""What the statement at hand may still cost, checked where its cost can grow faster than its text.

Four things are counted: the columns behind the stars of a statement, its relations, the characters of texts that programs put together,
and time. The checks are called once per step that is small in itself: a SELECT, a star, a statement of a program, a piece of a script. A
check that fails ends the work with an exception that no `except Exception` takes for a defect.

Time has two limits. What takes longer than a *turn* in the user's process goes to a worker, which can be killed. What is not done at
the *end* of the script's time is not done at all. Each thread has limits of its own.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from math import inf
from time import monotonic

MAX_COLUMNS = 100_000
"""Columns behind the stars of one statement."""
MAX_RELATIONS = 2_000_000
"""Relations of one statement: some 500 MB."""
MAX_TEXT = 200_000
"""Characters of one text that a program puts together."""
MAX_TEXTS = 200_000_000
"""Characters of all such texts of a script, each time that one is put together."""
_READ = 100
"""What a character of a text that is executed counts for: it is parsed."""


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
    """How many columns and relations one statement may have, at each level; None is no limit."""

    columns: int | None = MAX_COLUMNS
    relations: int | None = MAX_RELATIONS
    characters: int | None = None
    """Of the names and expressions that the relations of the column level repeat."""
    reason: str = ""
    """What the limit of relations follows from, if not from its own option: ` in 4 seconds`."""
    option: str = "--max-relations"
    """The option that raises the limit of relations."""

    def excess(self, relations: int, where: str = "") -> TooLarge | None:
        """Why so many relations are too many, if they are; *where* says of what they are."""
        if self.relations is None or relations <= self.relations:
            return None
        limit = f"the limit is {self.relations:,}{self.reason} ({self.option})"
        return TooLarge(f"{relations:,} relations{where}: {limit}", self.option)


class Work:
    """What is being done in a thread, and the limits that it is held to: a context, inside of which they hold."""

    __slots__ = (
        "_before",
        "columns",
        "deadline",
        "end",
        "is_here",
        "light_text",
        "limits",
        "relations",
        "texts_left",
        "turn",
    )

    def __init__(self, allowed: WorkLimits, seconds: float = inf, turn: float = inf, *, is_here: bool = False) -> None:
        """*seconds* is for all of it, *turn* for each part that may go on in a worker; *is_here* is set in the user's process."""
        self.is_here = is_here
        self.light_text: str | None = None
        """The script whose statement at hand is not heavy: what is parsed of it need not be looked at again."""
        self.limits = allowed
        self.texts_left: float = MAX_TEXTS
        self.columns = inf if allowed.columns is None else allowed.columns
        self.relations = inf if allowed.relations is None else allowed.relations
        self.end = self.deadline = monotonic() + seconds
        self.turn = turn
        self._before: Work | None = None

    def __enter__(self) -> Work:
        self._before, _thread.work = _thread.work, self
        return self

    def __exit__(self, *problem: object) -> None:
        assert self._before is not None
        _thread.work = self._before

    def refuse_excess(self, columns: int, relations: int) -> None:
        """End the work on a statement that has too many columns behind its stars or too many relations, or whose time is up."""
        if columns > self.columns:
            message = f"{columns:,} columns behind `*`: the limit is {self.columns:,} (--max-columns)"
            raise TooLarge(message, "--max-columns")
        excess = self.limits.excess(relations)
        if excess is not None:
            raise excess
        if monotonic() > self.deadline:
            raise OutOfTime

    def makes_text(self, characters: int) -> bool:
        """Whether a program may put together one more text of some length; it is counted if so."""
        return characters <= MAX_TEXT and self._counts(characters)

    def reads_text(self, characters: int) -> bool:
        """Whether a program may execute one more text of some length; it is counted if so."""
        return self._counts(characters * _READ)

    def _counts(self, characters: int) -> bool:
        if characters > self.texts_left:
            return False
        self.texts_left -= characters
        return True

    def begin_turn(self) -> None:
        """Begin a part of the work that may take as long as a turn."""
        self.deadline = min(monotonic() + self.turn, self.end)

    def end_turn(self) -> None:
        """Go on with what has all of the time."""
        self.deadline = self.end

    @property
    def left(self) -> float:
        """Seconds until all of the time is up."""
        return self.end - monotonic()


class _OfThread(threading.local):
    def __init__(self) -> None:
        self.work = Work(WorkLimits())
        self.work.texts_left = inf


_thread = _OfThread()


def current_work() -> Work:
    """What is being done in this thread."""
    return _thread.work


def check_time() -> None:
    """End the work if its time is up."""
    if monotonic() > _thread.work.deadline:
        raise OutOfTime
