"""What a variable holds: columns and literals that flowed into it, and how. States of all variables are joined where ways meet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from headwater.model.entity import PSEUDO_ROWS, EntityKind, TableName
from headwater.model.kind import IDENTITY, compose
from headwater.model.span import Span
from headwater.sql.procedural.text import UNKNOWN, Texts


class Origin(NamedTuple):
    """Where a value is from: a persistent column, a literal, or a parameter of the routine."""

    kind: EntityKind
    """Of the entity; `VARIABLE` for a parameter."""
    table: TableName | None
    column: str
    """The column's name, the literal's text, the parameter's name."""
    temporary: bool = False
    spelled: str = ""
    number: int = 0
    """The parameter's."""


Key = tuple[int, str]
"""A variable's number and the name of its column."""

Held = Mapping[tuple[Origin, int], Span | None]
"""Origins with the kind in which they flow, and where a literal stands."""

NOTHING: Held = {}

_MOST_TEXTS = 8
"""Texts that a variable may hold before nothing is known of it."""


class State:
    """What all variables hold at one point of a program. What is held is never changed in place, so that states can share it."""

    __slots__ = ("_held", "_texts")

    def __init__(self, held: dict[Key, Held] | None = None, texts: dict[int, Texts] | None = None) -> None:
        self._held: dict[Key, Held] = {} if held is None else held
        self._texts: dict[int, Texts] = {} if texts is None else texts

    def copy(self) -> State:
        """A state of its own."""
        return State(dict(self._held), dict(self._texts))

    def texts(self, number: int) -> Texts | None:
        """The texts that a scalar may hold, if anything is known of them."""
        return self._texts.get(number)

    def set_texts(self, number: int, texts: Texts) -> None:
        """Let a scalar hold one of these texts."""
        self._texts[number] = texts

    def set(self, key: Key, held: Held) -> None:
        """Let a column of a variable hold something else."""
        self._held[key] = held

    def forget(self, number: int, below: str = "") -> None:
        """Let all columns of a variable hold nothing; or those below one of its fields."""
        for key in [k for k in self._held if k[0] == number and k[1].startswith(below)]:
            del self._held[key]

    def get(self, key: Key) -> Held:
        """What a column of a variable holds: of a column that is not known by its name, what `*` says of it."""
        found = self._held.get(key)
        if found is not None:
            return found
        number, name = key
        if name == PSEUDO_ROWS:
            return NOTHING
        below, _, field = name.rpartition(".")
        if below:  # a field of a field: what is known of the whole
            return {
                (_of_whole(origin, field), kind): place for (origin, kind), place in self.get((number, below)).items()
            }
        star = self._held.get((number, "*"))
        if star is not None:
            return {(_of_star(origin, name), kind): place for (origin, kind), place in star.items()}
        whole = "" if name == "*" else f"{name}."
        parts = ((c, held) for (n, c), held in self._held.items() if n == number and c != PSEUDO_ROWS)
        return joined(held for column, held in parts if column.startswith(whole))

    def names(self, number: int) -> list[str]:
        """The columns of a variable that hold something."""
        return [name for n, name in self._held if n == number]

    def of(self, numbers: Collection[int]) -> State:
        """What some of the variables hold."""
        return State({key: held for key, held in self._held.items() if key[0] in numbers})

    def with_(self, other: State) -> State:
        """What is held after either of two ways."""
        if other is self:
            return self
        texts = dict(self._texts)
        for number, theirs_too in other._texts.items():
            known = texts.get(number, theirs_too) | theirs_too
            texts[number] = known if len(known) <= _MOST_TEXTS else UNKNOWN
        held = dict(self._held)
        for key, theirs in other._held.items():
            ours = held.get(key)
            if ours is None:
                held[key] = theirs
            elif ours is not theirs and not theirs.keys() <= ours.keys():
                held[key] = {**ours, **theirs}
        return State(held, texts)

    def with_changes(self, other: State, changed: Iterable[Key]) -> State:
        """What is held after either of two ways, of which the other differs from what is covered here in a few columns only."""
        held, texts = dict(self._held), dict(self._texts)
        for key in changed:
            theirs = other._held.get(key)
            ours = held.get(key)
            if theirs is not None and theirs is not ours:
                held[key] = theirs if ours is None else {**ours, **theirs}
            known = other._texts.get(key[0])
            if known is not None:
                known |= texts.get(key[0], known)
                texts[key[0]] = known if len(known) <= _MOST_TEXTS else UNKNOWN
        return State(held, texts)

    def without_new_texts(self, other: State) -> State:
        """The same, but nothing is known of texts that were not held in another state: they would grow from round to round of a loop."""
        texts = {n: held if held <= other._texts.get(n, UNKNOWN) else UNKNOWN for n, held in self._texts.items()}
        return State(dict(self._held), texts)

    def covers(self, other: State) -> bool:
        """Whether whatever is held in the other state is held here."""
        if other is self:
            return True
        if any(not texts <= self._texts.get(number, frozenset()) for number, texts in other._texts.items()):
            return False
        return self.covers_columns(other)

    def covers_columns(self, other: State) -> bool:
        """Whether whatever is held in the other state, texts aside, is held here."""
        return all(key in self._held and held.keys() <= self._held[key].keys() for key, held in other._held.items())


def _of_whole(origin: Origin, field: str) -> Origin:
    """Where a field is from, of which the whole is known: a table's column has the field below it."""
    of_table = origin.table is not None and origin.column not in ("*", PSEUDO_ROWS)
    return origin._replace(column=f"{origin.column}.{field}") if of_table else _of_star(origin, field)


def _of_star(origin: Origin, name: str) -> Origin:
    return origin._replace(column=name) if origin.column == "*" else origin


def joined(parts: Iterable[Held]) -> Held:
    """All of what is held in several places."""
    found: dict[tuple[Origin, int], Span | None] = {}
    for part in parts:
        found.update(part)
    return found


def through(held: Held, kind: int) -> Held:
    """What is held, after one more hop."""
    if kind == IDENTITY:
        return held
    return {(origin, compose(first, kind)): place for (origin, first), place in held.items()}
