"""Values of JavaScript: strings, numbers, truth values, lists, mappings and None as Python's own; functions, classes, what nobody knows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from headwater.project.dataform.js_tokens import JsProblem
from headwater.project.objects import Place

if TYPE_CHECKING:
    from headwater.project.dataform.js_run import Module
    from headwater.project.dataform.js_tree import Function

Value = Any
"""A value of JavaScript."""

MAX_TEXT = 5_000_000
"""The longest text that a program may make."""
MAX_ITEMS = 100_000
"""The longest list that a program may make, and the items that a list may hold in all to become a text."""
_EXACT = 2**53
"""JavaScript's numbers are doubles: whole numbers are exact up to here."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that is not worked out: `new Date()`, what a package gives. *origin* names it, *place* is where it comes from."""

    origin: str
    place: Place

    @property
    def placeholder(self) -> str:
        """What stands for it in SQL: a placeholder, which the SQL reader takes for a part of a name or for a constant."""
        return "${" + (re.sub(r"\W+", "_", self.origin).strip("_") or "unknown") + "}"


def placeholders_in(text: str, known: Container[str]) -> list[tuple[int, int]]:
    """Where a text has placeholders that stand for something."""
    if "${" not in text:
        return []
    return [found.span() for found in re.finditer(r"\$\{\w+\}", text) if found[0] in known]


class NoMethod(LookupError):
    """A method that the interpreter does not have."""


class PlacedText(str):
    """A text that stands in a file as a template literal; *place* is where its first character stands."""

    __slots__ = ("place",)
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function, and the names that it sees."""

    function: Function
    scope: Scope = field(repr=False)
    module: Module = field(repr=False)
    properties: dict[str, Value] = field(default_factory=dict, repr=False)
    """What a program puts there: functions are objects. `prototype` has the methods of what `new` makes."""
    bound: tuple[Value, ...] = field(default=(), repr=False)
    """What `bind` gave it: `this`, and the first arguments."""


@dataclass(frozen=True, slots=True, eq=False)
class Accessor:
    """A property that functions read and write."""

    getter: Closure | None = None
    setter: Closure | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Class:
    """A class. Its methods are those of its parents as well."""

    name: str
    parent: Class | Unknown | None
    constructor: Closure | None
    members: dict[str, Value] = field(repr=False)
    """Methods and accessors of its objects."""
    statics: dict[str, Value] = field(repr=False)
    fields: tuple[tuple[str, Closure], ...] = field(repr=False)
    """Fields of its objects, and the functions that give their values."""
    ancestors: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """An object of a class; an object literal with accessors, which has none."""

    kind: Class | None
    fields: dict[str, Value] = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Super:
    """`super` in the methods of a class, or in its static ones."""

    kind: Class
    is_static: bool


@dataclass(frozen=True, slots=True)
class Builtin:
    """A function that Dataform or JavaScript has; it is given its arguments."""

    name: str
    call: Callable[..., Value] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression."""

    pattern: str
    flags: str


class Scope:
    """Names and their values; those of the scope around it are seen as well."""

    __slots__ = ("_outer", "_values")

    def __init__(self, values: Mapping[str, Value] | None = None, outer: Scope | None = None) -> None:
        self._values = dict(values or {})
        self._outer = outer

    def declare(self, name: str, value: Value) -> None:
        """Give a new name a value."""
        self._values[name] = value

    def has(self, name: str) -> bool:
        """Whether a name is seen here."""
        return self._owner(name) is not None

    def get(self, name: str) -> Value:
        """The value of a name that is seen here."""
        owner = self._owner(name)
        return None if owner is None else owner._values[name]

    def assign(self, name: str, value: Value) -> None:
        """Give a name another value; one that nobody declared is the outermost scope's."""
        owner = self._owner(name) or self
        owner._values[name] = value

    def _owner(self, name: str) -> Scope | None:
        scope: Scope | None = self
        while scope is not None and name not in scope._values:
            scope = scope._outer
        return scope


def text_of(value: Value) -> str:
    """A value as a text, as `String(value)` gives it.

    >>> text_of([1, 2.0, True, None])
    '1,2,true,'
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Unknown):
        return value.placeholder
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    if isinstance(value, list):
        return ",".join(_texts_in(value))
    if isinstance(value, (dict, Instance)):
        return "[object Object]"
    if isinstance(value, (Closure, Builtin, Class)):
        return f"${{{name_of(value) or 'function'}}}"
    return "undefined" if value is None else str(value)


def name_of(value: Closure | Builtin | Class) -> str:
    """The name of a function or class."""
    return value.function.name if isinstance(value, Closure) else value.name.rpartition(".")[2]


def _texts_in(value: list[Value]) -> Iterator[str]:
    """The texts of what a list holds, and of what the lists in it hold, in order."""
    pending, seen, size = [iter(value)], 0, 0
    while pending:
        item = next(pending[-1], _END)
        if item is _END:
            pending.pop()
            continue
        seen += 1
        if seen > MAX_ITEMS or size > MAX_TEXT:
            raise JsProblem("a list holds too much to become a text", 0)
        if isinstance(item, list) and item:
            pending.append(iter(item))
        else:
            text = "" if item is None or item == [] else text_of(item)
            size += len(text)
            yield text


_END = object()


def as_number(value: Value) -> Value:
    """A number as JavaScript has it: a whole one is an integer of Python's while it is exact."""
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= _EXACT else value
    if abs(value) <= _EXACT:
        return value
    try:
        return float(value)
    except OverflowError:
        return math.inf


def is_true(value: Value) -> bool:
    """Whether a test passes; lists and objects always do."""
    return isinstance(value, (list, dict)) or bool(value)


def documents(value: Value) -> dict[str, Value]:
    """A value, if it is an object; else an empty one."""
    return value if isinstance(value, dict) else {}


def texts(value: Value) -> tuple[str, ...]:
    """The texts of a list; a text alone is a list of one."""
    items = value if isinstance(value, list) else [value]
    return tuple(item for item in items if isinstance(item, str))
