"""Rows that belong together: a data set is made of a few worlds, in each of which one value is agreed upon for every condition.

Rows of one world meet in joins and pass the same conditions, however many there are; how faithful a row is to its world differs, so that
conditions can be seen to fail as well. In some data sets keys are shared by all worlds (so a customer has sales of two years), in others
each world has its own (so there are several groups of rows).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from sqlglot import exp

from headwater.verify.hints import Hints, Value
from headwater.verify.meetings import Meetings
from headwater.verify.values import Maker

_ROWS = (1, 3, 5, 7, 8, 10)
"""How many rows a table may have."""
_LARGEST = 4000
"""About how many rows may meet."""

_STRANGE = 0.1
"""How likely a table is one whose rows belong to no world: what NOT EXISTS asks for."""
_LOOSE = 0.9


class Worlds:
    """The worlds of one data set."""

    def __init__(self, maker: Maker, hints: Hints, meetings: Meetings, tables: int) -> None:
        """*tables* is how many are joined: the more there are, the fewer rows of each may meet."""
        self._maker = maker
        self._random: Random = maker.random
        self._hints = hints
        self._meetings = meetings
        self._keys = meetings.keys()
        self._steps = meetings.steps()
        self._wanted: dict[str, list[tuple[Value, ...]]] = {}
        for name, groups in hints.wanted.items():
            self._wanted.setdefault(meetings.group(name), []).extend(groups)
        self._count = self._random.choice((1, 2, 2, 3))
        self._apart = self._random.random() < 0.4
        self._in_turn = self._random.random() < 0.6
        self._mixed = self._random.random() < 0.4
        self._faithful = max(1, int(_LARGEST ** (1 / max(tables, 1))))
        self._twins = self._random.choice((0.0, 0.0, 0.3, 0.7))
        self._looseness = self._random.choice((0.1, 0.3, 0.6, 0.9))
        self._agreed: dict[tuple[str, int, object], Any] = {}

    def rows(self, columns: Mapping[str, exp.DataType]) -> list[list[Any]]:
        """The rows of a table."""
        crowd = self._random.choice(self._hints.counts) if self._hints.counts and self._random.random() < 0.5 else 0
        count = max(self._random.choice(_ROWS), crowd)
        faithful = max(crowd, self._random.randint(1, min(self._faithful, 5)) * self._count)
        strange = not crowd and self._random.random() < _STRANGE
        looseness = [_LOOSE] * count if strange else [0.0] * faithful + [self._looseness] * count
        made = [self._row(columns, n % self._count, looseness[n]) for n in range(count)]
        for number in range(1, count):
            if self._random.random() < self._twins:
                made[number] = self._twin(made[self._random.randrange(number)], columns)
        self._random.shuffle(made)
        return made

    def _twin(self, row: list[Any], columns: Mapping[str, exp.DataType]) -> list[Any]:
        """A row that differs from another by one value."""
        chosen = self._random.randrange(len(row))
        name, kind = [*columns.items()][chosen]
        other = self._maker.other(kind, self._hints.values.get(name.lower(), ()), row[chosen])
        return [*row[:chosen], other, *row[chosen + 1 :]]

    def _row(self, columns: Mapping[str, exp.DataType], world: int, loose: float) -> list[Any]:
        return [self._cell(name.lower(), kind, world, loose) for name, kind in columns.items()]

    def _cell(self, name: str, kind: exp.DataType, world: int, loose: float) -> Any:
        group = self._meetings.group(name)
        if (group in self._keys or group in self._wanted) and self._random.random() >= loose:
            key = (group, world, kind.this)
            if key not in self._agreed or (self._mixed and len(self._wanted.get(group, ())) > 1):
                self._agreed[key] = self._agree(group, world, kind)
            agreed = self._agreed[key]
            if agreed is not None:
                return agreed
        return self._maker.value(kind, self._hints.values.get(name, ()))

    def _agree(self, group: str, world: int, kind: exp.DataType) -> Any:
        """The value of a group of columns in a world."""
        wanted = self._fitting(self._wanted.get(group, ()), kind)
        step = self._random.choice(self._steps[group]) if group in self._steps else 0
        if wanted:
            values = wanted[world % len(wanted)] if self._in_turn and not self._mixed else self._random.choice(wanted)
            value = self._random.choice(values)
            return self._maker.exactly(kind, value + world * step if isinstance(value, int) else value)
        return self._maker.numbered(kind, 1 + (world * step or (world if self._apart else 0)))

    def _fitting(self, groups: Sequence[tuple[Value, ...]], kind: exp.DataType) -> list[list[Value]]:
        fitting = ([v for v in group if self._maker.exactly(kind, v) is not None] for group in groups)
        return [group for group in fitting if group]
