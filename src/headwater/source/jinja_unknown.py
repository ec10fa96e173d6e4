"""`UnknownValue`: a value that nobody knows, which survives whatever a template does with it.

It is a text of characters that no SQL has (`MARKS`). So it can be joined, cut, turned and counted like any text, and who made it finds its
characters again in what the template writes. Where a text would fail (attributes, methods, numbers, mappings), the value gives itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

FIRST, LAST = 0x100000, 0x10FFFD
"""The characters of unknown values: Unicode's last area for private use."""
MARKS = f"{chr(FIRST)}-{chr(LAST)}"
"""These characters, for a set in a regular expression."""
_MARK = re.compile(f"[{MARKS}]")
_ONLY_MARKS = re.compile(f"[{MARKS}]+")
_ESCAPED = re.compile(r"\\udb[c-f][0-9a-f]\\ud[c-f][0-9a-f]{2}")
_MOST_MARKS = 50
"""Values that one is made of; of more, the first count."""
_OWN = frozenset({"items", "keys", "values", "pop", "popitem", "split", "rsplit", "splitlines", "join", "count"})
"""Methods that give something else than the value itself."""
_OF_JINJA = frozenset({"unsafe_callable", "alters_data", "contextfunction"})
"""Attributes by which Jinja tells functions apart."""


class _Parts(list["UnknownValue"]):
    """Any number of parts of an unknown value."""

    def __getitem__(self, key: Any) -> Any:
        return self if isinstance(key, slice) else next(iter(self))


class UnknownValue(str):
    """A text of marks."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name.startswith(("__", "jinja_")) or name in _OF_JINJA or name in _OWN:
            return super().__getattribute__(name)
        return self

    def __call__(self, *args: Any, **named: Any) -> UnknownValue:
        """Itself: nobody knows what its methods give, either."""
        return self

    def __getitem__(self, key: object) -> UnknownValue:
        return self

    def __iter__(self) -> Iterator[UnknownValue]:
        return iter((self,))

    def __len__(self) -> int:
        return 1

    def __contains__(self, item: object) -> bool:
        return isinstance(item, str) and str(item) == str(self)

    def items(self) -> list[tuple[UnknownValue, UnknownValue]]:
        """As of a mapping with one entry."""
        return [(self, self)]

    def keys(self) -> list[UnknownValue]:
        """As of a mapping with one entry."""
        return [self]

    values = keys

    def pop(self, *_: object) -> UnknownValue:
        """As of a list."""
        return self

    def popitem(self) -> tuple[UnknownValue, UnknownValue]:
        """As of a mapping."""
        return self, self

    def split(self, *_: object, **__: object) -> list[UnknownValue]:  # type: ignore[override]
        """Parts, of which each is unknown."""
        return _Parts([self])

    rsplit = splitlines = split  # type: ignore[assignment]

    def count(self, *_: object) -> int:
        """It is there once."""
        return 1

    def __int__(self) -> int:
        return 1

    __index__ = __int__

    def __float__(self) -> float:
        return 1.0

    def __add__(self, other: Any) -> Any:
        if isinstance(other, UnknownValue):
            return self._with(other)
        if isinstance(other, str):
            return known_again(f"{self!s}{other!s}")
        return [self, *other] if isinstance(other, (list, tuple)) else self

    def __radd__(self, other: Any) -> Any:
        if isinstance(other, str):
            return known_again(f"{other!s}{self!s}")
        return [*other, self] if isinstance(other, (list, tuple)) else self

    def _with(self, other: Any = None) -> UnknownValue:
        """What is made of this value and another one."""
        if not isinstance(other, UnknownValue):
            return self
        together = str(self) + str(other)
        return UnknownValue(together) if len(together) <= _MOST_MARKS else self

    __mul__ = __rmul__ = __sub__ = __rsub__ = __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = _with
    __mod__ = __pow__ = __rpow__ = __neg__ = __pos__ = __abs__ = __round__ = __trunc__ = _with

    def __lt__(self, other: object) -> bool:
        return _before(1, other, str(self))

    def __gt__(self, other: object) -> bool:
        return not isinstance(other, str) and _is_number(other) and other < 1  # type: ignore[operator]

    def __le__(self, other: object) -> bool:
        return not self > other

    def __ge__(self, other: object) -> bool:
        return not self < other


def _before(number: int, other: object, text: str) -> bool:
    if isinstance(other, str):
        return text < str(other)
    return _is_number(other) and number < other  # type: ignore[operator]


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float))


def known_again(value: Any) -> Any:
    """A value; a text that has nothing but marks as the unknown value that it is."""
    if isinstance(value, str) and not isinstance(value, UnknownValue) and _ONLY_MARKS.fullmatch(value):
        return UnknownValue(value)
    return value


def has_mark(value: object) -> bool:
    """Whether a value is a text with a mark in it."""
    return isinstance(value, str) and _MARK.search(value) is not None


def unknown_among(values: Iterable[Any]) -> Any:
    """The unknown value in the first text that has one, also in lists; None if there is none."""
    for value in values:
        inside = value if isinstance(value, (list, tuple, set)) else (value,)
        found = next(filter(has_mark, list(inside)[:100]), None)
        if found is not None:
            return UnknownValue("".join(_MARK.findall(found)))
    return None


def unmarked(value: Any, plain: str) -> Any:
    """A value with a text in the place of marks, in lists and mappings as well."""
    if isinstance(value, str):
        return _MARK.sub(plain, value) if has_mark(value) else value
    if isinstance(value, (list, tuple)):
        return type(value)(unmarked(each, plain) for each in value)
    if isinstance(value, dict):
        return {unmarked(key, plain): unmarked(each, plain) for key, each in value.items()}
    return value


def with_marks(json: str) -> str:
    """A text in JSON in which marks are not escaped."""
    return _ESCAPED.sub(lambda found: _character(found[0]), json) if "\\udb" in json else json


def _character(escaped: str) -> str:
    """The character that two escapes of JSON make."""
    high, low = (int(number, 16) for number in (escaped[2:6], escaped[8:12]))
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def keeping(filter: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that makes numbers of texts, and leaves an unknown value what it is."""

    def kept(value: Any, *args: Any, **named: Any) -> Any:
        return known_again(value) if has_mark(value) else filter(value, *args, **named)

    return kept


def with_items(filter: Callable[..., Any]) -> Callable[..., Any]:
    """Jinja's `items`, for which an unknown value is a mapping."""

    def pairs(value: Any) -> Any:
        return value.items() if isinstance(value, UnknownValue) else filter(value)

    return pairs


def spread(value: Any, shape: tuple[Any, ...]) -> Any:
    """A value to be unpacked into as many names as a shape has; an unknown one for each of them.

    >>> spread("ab", ((), ()))
    'ab'
    """
    if isinstance(value, _Parts):
        value = value[0]
    if not isinstance(value, UnknownValue):
        return value
    return tuple(spread(value, each) if each else value for each in shape)
