"""What a statement compares its columns with: values that made-up data should have, or nothing would pass its conditions.

And what the use of a column tells of its type, where no schema does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime

from sqlglot import exp

Value = int | float | str

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between, exp.Like, exp.ILike)
_HOPS = 4
"""Aliases behind aliases that are followed."""
_NUMERIC = (exp.Sum, exp.Avg, exp.Mul, exp.Div, exp.Sub, exp.Abs, exp.Round)
_TEXTUAL = (exp.Like, exp.ILike, exp.Upper, exp.Lower, exp.Trim, exp.Substring, exp.DPipe, exp.Concat, exp.RegexpLike)
_TEMPORAL = (exp.Year, exp.Month, exp.DateAdd, exp.DateSub, exp.DateDiff, exp.DateTrunc, exp.Extract, exp.TsOrDsAdd)


@dataclass(frozen=True, slots=True)
class Hints:
    """By the names of columns: values that they are compared with, and types that their use suggests."""

    values: dict[str, list[Value]] = field(default_factory=dict)
    types: dict[str, exp.DataType] = field(default_factory=dict)

    @property
    def days(self) -> list[date]:
        """All days that are spoken of."""
        texts = {value for values in self.values.values() for value in values if isinstance(value, str)}
        return sorted(found for text in texts if (found := as_date(text)))


def hints_of(tree: exp.Expression) -> Hints:
    """The hints in a statement."""
    found = Hints()
    _compared(tree, found)
    _aliased(tree, found)
    _used(tree, found)
    return found


def _compared(tree: exp.Expression, found: Hints) -> None:
    for comparison in tree.find_all(*_COMPARISONS):
        names = [column.name.lower() for column in comparison.find_all(exp.Column)]
        exact = isinstance(comparison, (exp.EQ, exp.NEQ, exp.In))
        values = [value for literal in comparison.find_all(exp.Literal) for value in _values(literal, exact)]
        if isinstance(comparison, (exp.Like, exp.ILike)):
            values = [str(value).replace("%", "").replace("_", "x") for value in values]
        for name in names if values else ():
            found.values.setdefault(name, []).extend(values)


def _values(literal: exp.Literal, exact: bool) -> Iterator[Value]:
    """A literal's value; and its neighbours, unless only the value itself makes a difference."""
    if literal.is_string:
        yield literal.this
        return
    try:
        number = float(literal.this)
    except ValueError:
        return
    if not number.is_integer():
        yield number
    elif abs(number) < 2**31:
        yield from (int(number),) if exact else (int(number), int(number) + 1, int(number) - 1)


def _aliased(tree: exp.Expression, found: Hints) -> None:
    """A column behind an alias is compared where the alias is."""
    aliases = [(a.alias.lower(), [c.name.lower() for c in a.find_all(exp.Column)]) for a in tree.find_all(exp.Alias)]
    for _ in range(_HOPS):
        for alias, names in aliases:
            for name in names:
                if name != alias and alias in found.values:
                    known = found.values.setdefault(name, [])
                    known.extend(value for value in found.values[alias] if value not in known)


def _used(tree: exp.Expression, found: Hints) -> None:
    for name, values in found.values.items():
        found.types[name] = _type_of(values)
    for nodes, kind in ((_NUMERIC, "int"), (_TEXTUAL, "text"), (_TEMPORAL, "date")):
        for node in tree.find_all(*nodes):
            for column in node.find_all(exp.Column):
                found.types.setdefault(column.name.lower(), exp.DataType.build(kind))


def _type_of(values: list[Value]) -> exp.DataType:
    if all(isinstance(value, str) for value in values):
        return exp.DataType.build("date" if all(as_date(str(value)) for value in values) else "text")
    return exp.DataType.build("int" if all(isinstance(value, int) for value in values) else "double")


def as_date(text: str) -> date | None:
    """The day that a text names, if it does."""
    try:
        return datetime.fromisoformat(text.strip()).date()
    except ValueError:
        return None
