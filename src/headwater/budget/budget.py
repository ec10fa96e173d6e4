"""What one statement may cost, and a script of many."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf

from headwater.model.diagnostic import Code
from headwater.model.work import MAX_COLUMNS, MAX_RELATIONS, WorkLimits

_SCRIPT_SHARE = 1.5
"""How often a script may take a statement's time: behind a statement that takes all of it, the others still have half."""
KEPT_FOR_OTHERS = 0.3
"""Seconds of a script that a heavy statement leaves to others."""
_GRACE = 0.5
"""Seconds beside: for the start of a worker, and for what is light behind a heavy statement."""
_SHARE_OF_REST = 2 / 3
"""The part of its script's time left that a heavy statement may take: the first has a statement's time, and each other one has some."""
_SHORTEST = 0.05
"""Seconds that a heavy statement has in any case."""
_LONGEST_TURN = 5.0
"""Seconds that a statement may take in this process, before it goes to a worker."""
_TURN_SHARE = 0.5
"""The part of a statement's time that it may take in this process."""
_CHARACTERS_PER_SECOND = 250_000
"""How much text is split in a second on a busy machine; an idle one splits several times as much."""
_BYTES_PER_CHARACTER = 60
"""What a script's tokens take of memory."""
_RELATIONS_PER_SECOND = 34_000
"""How many relations are made, put through the levels and written in a second on a busy machine."""
_FEW_RELATIONS = 10_000
"""Relations that a statement may have in any case."""
_BYTES_PER_RELATION = 1_000
"""What a relation takes of memory while it is written."""
_BYTES_OF_NAME = 4
"""What a character of a relation takes of memory while it is written."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What one statement may cost, wherever its cost could get out of hand; None is no limit."""

    timeout: float | None = 60.0
    """Seconds of wall time for parsing and resolving."""
    memory: int | None = 2048
    """Megabytes, for the text, its tree and its relations."""
    columns: int | None = MAX_COLUMNS
    """Columns behind stars."""
    relations: int | None = MAX_RELATIONS

    def __post_init__(self) -> None:
        values = (self.timeout, self.memory, self.columns, self.relations)
        for name, value in zip(("timeout", "memory", "max_columns", "max_relations"), values, strict=True):
            if value is not None and not value > 0:
                raise ValueError(f"{name} must be positive, not {value!r}")

    @property
    def limits(self) -> WorkLimits:
        """What is counted. Relations are limited by their own option, and by what time and memory suffice for."""
        return _limits_of(self)

    @property
    def script_seconds(self) -> float:
        """Seconds that all statements of a script may take together."""
        return inf if self.timeout is None else self.timeout * _SCRIPT_SHARE + _GRACE

    def within(self, left: float) -> Budget:
        """What a heavy statement may cost where its script has so many seconds *left*."""
        if self.timeout is None or left == inf:
            return self
        return replace(self, timeout=max(min(self.timeout, (left - _GRACE) * _SHARE_OF_REST), _SHORTEST))

    @property
    def turn(self) -> float:
        """Seconds that a statement may take in this process."""
        return inf if self.timeout is None else min(self.timeout * _TURN_SHARE, _LONGEST_TURN)

    def excess_of(self, characters: int) -> tuple[Code, str] | None:
        """Why a text of so many characters is too long to be split, if it is."""
        needed = held_by(characters)
        if self.memory is not None and needed > self.memory:
            return (
                Code.OUT_OF_MEMORY,
                f"{characters:,} characters need {needed:,} MB: the limit is {self.memory:,} MB (--memory)",
            )
        if self.timeout is not None and characters > self.timeout * _CHARACTERS_PER_SECOND:
            most = int(self.timeout * _CHARACTERS_PER_SECOND)
            return (
                Code.TIMEOUT,
                f"{characters:,} characters: the limit is {most:,} in {seconds_in_words(self.timeout)} (--timeout)",
            )
        return None


def seconds_in_words(seconds: float) -> str:
    """A stretch of time as people say it: `60 seconds`, `1.7 seconds`, `1 second`."""
    rounded = round(seconds, 1) if seconds >= 1 else float(f"{seconds:.1g}")
    return f"{rounded:g} second{'s' * (rounded != 1)}"


def held_by(characters: int) -> int:
    """Megabytes that the tokens of a text take."""
    return characters * _BYTES_PER_CHARACTER >> 20


@lru_cache(maxsize=64)
def _limits_of(budget: Budget) -> WorkLimits:
    found = [(budget.relations, "", "--max-relations")] if budget.relations is not None else []
    if budget.timeout is not None and budget.timeout != inf:
        count = max(int(budget.timeout * _RELATIONS_PER_SECOND), _FEW_RELATIONS)
        found.append((count, f" in {seconds_in_words(budget.timeout)}", "--timeout"))
    if budget.memory is not None:
        count = max(int(budget.memory * 1_000_000) // _BYTES_PER_RELATION, _FEW_RELATIONS)
        found.append((count, f" in {budget.memory:,} MB", "--memory"))
    relations, reason, option = min(found, default=(None, "", ""))
    characters = None if budget.memory is None else int(budget.memory * 1_000_000) // _BYTES_OF_NAME
    return WorkLimits(budget.columns, relations, characters, reason, option)
