"""Writes that are part of another command, on Spark 3.5.

`CREATE TABLE … AS SELECT` and `saveAsTable` write by a command of their own inside, of which listeners hear first. Later versions mark it
(mode SKIP); 3.5 does not. So writes are held back until the outer command comes, which then counts alone, or until none has come for a
while.

    InsertIntoHadoopFsRelationCommand       execution 8, held back
    CreateDataSourceTableAsSelectCommand    execution 6, writes the same columns: 8 is dropped
"""

from __future__ import annotations

import threading
from typing import Any

from headwater.spark.capturing.listener import JOB, Event, Hear

_WRITE = "InsertIntoHadoopFsRelationCommand"
_OUTER = frozenset({"CreateDataSourceTableAsSelectCommand", "CreateHiveTableAsSelectCommand"})
_SECONDS = 10.0
"""How long the outer command may come after its write."""


class InnerWrites:
    """Hands on all events but the writes that are part of other commands."""

    def __init__(self, hear: Hear) -> None:
        self._hear = hear
        self._held: dict[int, tuple[str, Event]] = {}
        """Writes by the number of their execution, with the columns that they write."""
        self._lock = threading.Lock()

    def hear(self, event: Event) -> None:
        """Take an event."""
        plan = event.execution.analyzed() if event.kind == JOB else None
        name = str(plan.getClass().getSimpleName()) if plan is not None else ""
        if name == _WRITE:
            self._hold(event, plan)
            return
        if name in _OUTER:
            self._drop(int(event.execution.id()), _columns(plan))
        self._hear(event)

    def release(self, *numbers: int) -> None:
        """Hand on writes that are held back: those with these numbers, or all."""
        with self._lock:
            found = [self._held.pop(number) for number in numbers or list(self._held) if number in self._held]
        for _, event in found:
            self._hear(event)

    def _hold(self, event: Event, plan: Any) -> None:
        number = int(event.execution.id())
        with self._lock:
            self._held[number] = (_columns(plan), event)
        timer = threading.Timer(_SECONDS, self.release, [number])
        timer.daemon = True
        timer.start()

    def _drop(self, outer: int, columns: str) -> None:
        """Forget the write that is part of a command: it began later, and writes the same columns."""
        with self._lock:
            inner = [number for number, (held, _) in self._held.items() if number > outer and held == columns]
            if inner:
                del self._held[min(inner)]


def _columns(plan: Any) -> str:
    """The columns of a command's query, with Spark's numbers of them."""
    return str(plan.query().output().mkString(","))
