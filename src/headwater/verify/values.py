"""Made-up values: few different ones for each type, so that rows meet in joins and fall into the same groups.

They are plain Python: a list is an array, a dict a structure, a tuple of pairs a map.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Any

from sqlglot import exp

from headwater.verify.hints import Value, as_date

T = exp.DataType.Type

_WHOLE = {T.TINYINT, T.SMALLINT, T.MEDIUMINT, T.INT, T.BIGINT, T.INT128, T.UTINYINT, T.USMALLINT, T.UINT, T.UBIGINT}
_TINY = {T.TINYINT, T.UTINYINT}
_BROKEN = {T.FLOAT, T.DOUBLE, T.DECIMAL, T.BIGDECIMAL, T.MONEY, T.UDECIMAL}
_TEXT = {T.CHAR, T.NCHAR, T.VARCHAR, T.NVARCHAR, T.TEXT, T.NAME}
_TIMES = {T.DATE, T.DATE32, T.DATETIME, T.DATETIME2, T.TIMESTAMP, T.TIMESTAMPTZ, T.TIMESTAMPLTZ, T.TIMESTAMPNTZ}

_DAYS = (date(2001, 1, 5), date(2001, 2, 7), date(2001, 12, 31))
_AWAY = (-400, -100, -31, -8, -1, 0, 0, 0, 1, 2, 8, 31, 100, 400)
"""Days between what a statement says and what is in the data."""
_ALIKE = 7.5
"""The broken number of which there may be many."""
FLAVOURS: dict[str, tuple[str, ...]] = {
    "words": ("a", "b", "ab", "c"),
    "numbers": ("1", "2", "3", "12"),
    "days": ("2001-01-05", "2001-02-07", "2002-12-31"),
}
"""What texts are like: some statements turn them into numbers or dates."""


class NoValues(Exception):
    """There are no values for a type."""


class Maker:
    """Makes values in a way that only hangs on the seed."""

    def __init__(self, random: Random, flavour: str, days: Sequence[date] = ()) -> None:
        """*days* are those that the statement speaks of."""
        self.random = random
        self._texts = FLAVOURS[flavour]
        self._days = days or _DAYS
        self._hinting = random.choice((0.4, 0.7, 0.9))
        self._alike = random.choice((0.0, 0.0, 0.4, 0.8, 0.95))
        self._digits = random.choice(("123", "123", "123456789"))

    def value(self, kind: exp.DataType, hints: Sequence[Value], null: float = 0.08) -> Any:
        """A value of a type, as a rule one of those that it is compared with."""
        if self.random.random() < null:
            return None
        return self._maker(kind)(kind, hints)

    def exactly(self, kind: exp.DataType, value: Value) -> Any:
        """A given value as one of a type; None if it is none."""
        if kind.this in _WHOLE:
            fits = str(value).lstrip("-").isdigit() and abs(int(value)) < (128 if kind.this in _TINY else 2**31)
            return int(value) if fits else None
        if kind.this in _BROKEN:
            return value if isinstance(value, (int, float)) else None
        if kind.this in _TEXT:
            return str(value)
        if kind.this in _TIMES and isinstance(value, str) and (day := as_date(value)):
            return _dated(kind, day)
        return None

    def numbered(self, kind: exp.DataType, number: int) -> Any:
        """A value of a type for a number, the same whenever it is asked for."""
        if kind.this in _TEXT:
            days = self._texts is FLAVOURS["days"]  # else a text that is the same in capitals, or as a number
            return self._texts[number % len(self._texts)] if days else str(number)
        if kind.this in _TIMES:
            return _dated(kind, self._days[0] + timedelta(days=number))
        return self.exactly(kind, number)

    def other(self, kind: exp.DataType, hints: Sequence[Value], than: Any) -> Any:
        """Another value, if that is to be had."""
        found = than
        for _ in range(8):
            found = self.value(kind, hints if self.random.random() < 0.6 else ())
            if found != than:
                break
        return found

    def _maker(self, kind: exp.DataType) -> Callable[[exp.DataType, Sequence[Value]], Any]:
        if kind.this in _WHOLE:
            return self._whole
        if kind.this in _BROKEN:
            return self._broken
        if kind.this in _TEXT:
            return self._text
        if kind.this in _TIMES:
            return self._day
        if kind.this is T.BOOLEAN:
            return lambda kind, hints: self.random.random() < 0.5
        if kind.this in (T.ARRAY, T.LIST):
            return self._list
        if kind.this is T.STRUCT:
            return self._structure
        if kind.this is T.MAP:
            return self._map
        if kind.this is T.JSON:
            return lambda kind, hints: f'{{"a": {self.random.randint(1, 3)}}}'
        raise NoValues(f"there is no data for the type {kind.sql()}")

    def _hinted(self, hints: Sequence[Value]) -> Value | None:
        return self.random.choice(hints) if hints and self.random.random() < self._hinting else None

    def _one_of(self, values: Sequence[str]) -> str:
        """One of some values, in some data sets mostly the first: the more values are alike, the more rows meet."""
        return values[0] if self.random.random() < self._alike else self.random.choice(values)

    def _whole(self, kind: exp.DataType, hints: Sequence[Value]) -> int:
        hint = self._hinted([h for h in hints if isinstance(h, int) or str(h).lstrip("-").isdigit()])
        return int(hint if hint is not None and kind.this not in _TINY else self._one_of(self._digits))

    def _broken(self, kind: exp.DataType, hints: Sequence[Value]) -> float:
        hint = self._hinted([h for h in hints if isinstance(h, (int, float))])
        if hint is not None:
            return float(hint)
        return _ALIKE if self.random.random() < self._alike else self.random.randint(2, 60) / 4

    def _text(self, kind: exp.DataType, hints: Sequence[Value]) -> str:
        hint = self._hinted([str(h) for h in hints if isinstance(h, str)])
        return str(hint) if hint is not None else self._one_of(self._texts)

    def _day(self, kind: exp.DataType, hints: Sequence[Value]) -> date:
        days = [found for h in hints if isinstance(h, str) and (found := as_date(h))]
        day = self.random.choice(days or self._days) + timedelta(days=self.random.choice(_AWAY))
        return _dated(kind, day)

    def _list(self, kind: exp.DataType, hints: Sequence[Value]) -> list[Any]:
        inside = _inside(kind, 0)
        return [self.value(inside, hints) for _ in range(self.random.randint(0, 3))]

    def _map(self, kind: exp.DataType, hints: Sequence[Value]) -> tuple[tuple[Any, Any], ...]:
        keys, values = _inside(kind, 0), _inside(kind, 1)
        made = [self.value(keys, hints, null=0.0) for _ in range(self.random.randint(1, 3))]
        return tuple((key, self.value(values, hints)) for n, key in enumerate(made) if key not in made[:n])

    def _structure(self, kind: exp.DataType, hints: Sequence[Value]) -> dict[str, Any]:
        columns = [each for each in kind.expressions if isinstance(each, exp.ColumnDef)]
        fields = [(each.name, each.kind) for each in columns]
        if not fields or len(fields) != len(kind.expressions):
            raise NoValues(f"there is no data for the type {kind.sql()}")
        return {name: self.value(_told(inside), hints) for name, inside in fields}


def _dated(kind: exp.DataType, day: date) -> date:
    return day if kind.this in (T.DATE, T.DATE32) else datetime.combine(day, time())


def _inside(kind: exp.DataType, number: int) -> exp.DataType:
    return _told(kind.expressions[number] if len(kind.expressions) > number else None)


def _told(kind: object) -> exp.DataType:
    if not isinstance(kind, exp.DataType):
        raise NoValues("there is no data for a type that is not told")
    return kind
