"""What a statement compares its columns with: values that made-up data should have, or nothing would pass its conditions.

And what the use of a column tells of its type, where no schema does. Columns are known by their names alone: a hint too many does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TypeVar

from sqlglot import exp

from headwater.model.iso_time import read_iso

Value = int | float | str
_Hint = TypeVar("_Hint")

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between, exp.Like, exp.ILike)
_FOLDED = (exp.Add, exp.Sub, exp.Neg)
"""Of constants these make constants."""
_HOPS = 4
"""Aliases behind aliases that are followed."""
_MOST_ROWS = 24
"""Rows that a condition on a count may ask for."""
_NUMERIC = (exp.Sum, exp.Avg, exp.Mul, exp.Div, exp.Sub, exp.Abs, exp.Round)
_TEXTUAL = (exp.Like, exp.ILike, exp.Upper, exp.Lower, exp.Trim, exp.Substring, exp.DPipe, exp.Concat, exp.RegexpLike)
_TEMPORAL = (exp.Year, exp.Month, exp.DateAdd, exp.DateSub, exp.DateDiff, exp.DateTrunc, exp.Extract, exp.TsOrDsAdd)
_LISTED = (exp.Explode, exp.Posexplode, exp.Transform, exp.ArrayFilter, exp.ArraySize, exp.Exists)


@dataclass(frozen=True, slots=True)
class Hints:
    """By the names of columns: values that they are compared with, and types that their use suggests."""

    values: dict[str, list[Value]] = field(default_factory=dict)
    types: dict[str, exp.DataType] = field(default_factory=dict)
    wanted: dict[str, list[tuple[Value, ...]]] = field(default_factory=dict)
    """For each comparison, values with which it holds."""
    counts: list[int] = field(default_factory=list)
    """What counts of rows are compared with."""

    @property
    def days(self) -> list[date]:
        """All days that are spoken of."""
        texts = {value for values in self.values.values() for value in values if isinstance(value, str)}
        return sorted(found for text in texts if (found := as_date(text)))


def hints_of(tree: exp.Expression) -> Hints:
    """The hints in a statement."""
    found = Hints()
    for comparison in tree.find_all(*_COMPARISONS):
        _compared(comparison, found)
    _aliased(tree, found)
    _used(tree, found)
    return found


def _compared(comparison: exp.Expr, found: Hints) -> None:
    columns = list(dict.fromkeys(column.name.lower() for column in comparison.find_all(exp.Column)))
    literals = [value for each in _constants(comparison) if (value := _value(each)) is not None]
    if not literals:
        return
    if comparison.find(exp.Count) or any("count" in name or name == "cnt" for name in columns):
        found.counts.extend(value + 1 for value in literals if isinstance(value, int) and 0 < value < _MOST_ROWS)
    around = literals if isinstance(comparison, (exp.EQ, exp.NEQ, exp.In)) else [*_around(literals)]
    wanted = tuple(_holding(comparison, literals)) if len(columns) == 1 else ()
    for name in columns:
        found.values.setdefault(name, []).extend(around)
        if wanted:
            found.wanted.setdefault(name, []).append(wanted)


def _constants(comparison: exp.Expr) -> Iterator[exp.Expr]:
    """The constants in a comparison, sums of constants as a whole, but for those of subqueries."""
    waiting = [comparison]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, exp.Literal) or (isinstance(node, _FOLDED) and not node.find(exp.Column, exp.Query)):
            yield node
        elif not isinstance(node, exp.Query):
            waiting.extend(node.iter_expressions())


def _value(constant: exp.Expr) -> Value | None:
    """What a constant is: a text, a number, a sum of numbers; of a day and an interval the day."""
    added: list[tuple[int, exp.Expr]] = []
    while isinstance(constant, (exp.Add, exp.Sub)):
        added.append((1 if isinstance(constant, exp.Add) else -1, constant.right))
        constant = constant.left
    found = _without_sum(constant)
    for sign, each in reversed(added):
        value = _without_sum(each)
        if isinstance(found, (int, float)) and isinstance(value, (int, float)):
            found += sign * value
    return found


def _without_sum(constant: exp.Expr) -> Value | None:
    """What a text or a number is, which may have minus signs."""
    sign = 1
    while isinstance(constant, exp.Neg):
        sign, constant = -sign, constant.this
    value = _literal(constant)
    return value if value is None or isinstance(value, str) else sign * value


def _literal(constant: exp.Expr) -> Value | None:
    """What the first literal in a constant is."""
    literal = constant if isinstance(constant, exp.Literal) else constant.find(exp.Literal)
    if literal is None or literal.is_string:
        return None if literal is None else str(literal.this)
    try:
        number = float(literal.this)
    except ValueError:
        return None
    if not number.is_integer():
        return number
    return int(number) if abs(number) < 2**31 else None


def _around(values: list[Value]) -> Iterator[Value]:
    """Values, and the neighbours of whole numbers."""
    for value in values:
        yield value
        if isinstance(value, int):
            yield from (value + 1, value - 1)


def _holding(comparison: exp.Expr, values: list[Value]) -> Iterator[Value]:
    """Values with which a comparison holds, as far as one can tell without looking at what is around its columns."""
    if isinstance(comparison, exp.NEQ) or isinstance(comparison.parent, exp.Not):
        return
    if isinstance(comparison, (exp.Like, exp.ILike)):
        yield from (str(value).replace("%", "").replace("_", "x") for value in values)
    elif isinstance(comparison, exp.Between):
        yield from values
        yield from _between(values)
    elif isinstance(comparison, (exp.GT, exp.LT)):
        yield from _beyond(values, 1 if isinstance(comparison, exp.GT) else -1)
    else:
        yield from values


def _between(values: list[Value]) -> Iterator[Value]:
    low, high = values[0], values[-1]
    if isinstance(low, (int, float)) and isinstance(high, (int, float)):
        middle = (low + high) / 2
        yield int(middle) if isinstance(low, int) else middle
    elif isinstance(low, str) and (day := as_date(low)):
        yield (day + timedelta(days=2)).isoformat()


def _beyond(values: list[Value], way: int) -> Iterator[Value]:
    for value in values:
        if isinstance(value, (int, float)):
            yield value + way
        elif day := as_date(value):
            yield (day + timedelta(days=way)).isoformat()
        else:
            yield value


def _aliased(tree: exp.Expression, found: Hints) -> None:
    """A column behind an alias is compared where the alias is."""
    aliases = [(a.alias.lower(), [c.name.lower() for c in a.find_all(exp.Column)]) for a in tree.find_all(exp.Alias)]
    for _ in range(_HOPS):
        for alias, names in aliases:
            for name in names:
                if name != alias:
                    _pass_on(found.values, alias, name)
                    if len(names) == 1:
                        _pass_on(found.wanted, alias, name)


def _pass_on(hints: dict[str, list[_Hint]], alias: str, name: str) -> None:
    if alias in hints:
        known = hints.setdefault(name, [])
        known.extend(value for value in hints[alias] if value not in known)


def _used(tree: exp.Expression, found: Hints) -> None:
    for name, values in found.values.items():
        found.types[name] = _type_of(values)
    for node in tree.find_all(*_LISTED):
        if isinstance(node.this, exp.Column) and (not isinstance(node, exp.Exists) or node.args.get("expression")):
            found.types[node.this.name.lower()] = exp.DataType.build("array<int>")
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
        return read_iso(text.strip()).date()
    except ValueError:
        return None
