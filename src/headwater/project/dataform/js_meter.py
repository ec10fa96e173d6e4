"""`Meter`: counts what JavaScript programs do. Whatever is read or made counts by its size, before it is read or made."""

from __future__ import annotations

import time

from headwater.model.work import current_work
from headwater.project.dataform.js_tokens import JsProblem
from headwater.project.dataform.js_values import Value
from headwater.source.template_limits import limits_in_force

MAX_STEPS = 200_000
"""How many pieces of syntax a file, or the query of an action, may evaluate."""
MAX_STEPS_IN_ALL = 10 * MAX_STEPS
"""How many all programs of a project may evaluate."""
_ITEMS_PER_STEP = 10
"""Items of a list that are copied or compared in the time of a step."""
_CHARACTERS_PER_STEP = 100


class TooMuch(JsProblem):
    """A program that does too much."""


class Meter:
    """What the program of a file has done, and the programs of a project before it."""

    __slots__ = ("_before", "_deadline", "_seconds", "_steps")

    def __init__(self) -> None:
        self._steps = self._before = 0
        self.start()

    def start(self) -> None:
        """Begin with another file or action: it has steps and seconds of its own."""
        self._before += self._steps
        self._steps = 0
        self._seconds = self._seconds_allowed()
        self._deadline = time.monotonic() + self._seconds

    def _seconds_allowed(self) -> float:
        return min(limits_in_force().seconds, max(current_work().left, 0))

    def step(self, offset: int = 0, steps: int = 1) -> None:
        """Count work at a place of the program."""
        self._steps += steps
        if self._steps > MAX_STEPS or self._steps + self._before > MAX_STEPS_IN_ALL:
            raise TooMuch(f"the program does too much: more than {MAX_STEPS:,} steps", offset)
        if time.monotonic() > self._deadline:
            raise TooMuch(f"the program takes longer than {self._seconds:g} seconds (--template-timeout)", offset)

    def text(self, characters: int, offset: int = 0) -> None:
        """Count a text that is made."""
        self.step(offset, characters // _CHARACTERS_PER_STEP)

    def items(self, value: Value, offset: int = 0) -> None:
        """Count the items of a list or object, or the characters of a text, not what they hold."""
        if isinstance(value, str):
            self.text(len(value), offset)
        elif isinstance(value, (list, dict)):
            self.step(offset, len(value) // _ITEMS_PER_STEP)

    def whole(self, *values: Value) -> None:
        """Count values with all that they hold, as often as they hold it: `[a, a]` holds twice what `a` holds."""
        pending = list(values)
        while pending:
            value = pending.pop()
            if isinstance(value, str):
                self.text(len(value))
            elif isinstance(value, (list, dict)):
                self.step(steps=1 + len(value))
                pending.extend(value if isinstance(value, list) else value.values())
