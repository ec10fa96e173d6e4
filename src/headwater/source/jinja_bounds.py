"""Bounds for what one step of a template may make: refused before it is made, wherever that can be known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from jinja2.exceptions import SecurityError
from jinja2.utils import Namespace

from headwater.source.jinja_unknown import UnknownValue

ITEM = 10
"""What an item of a list counts for, in characters."""
_LARGEST = 5_000_000
"""The longest text, or list, that one step may make."""
_VIEWS: tuple[type[Any], ...] = (type({}.keys()), type({}.values()), type({}.items()), frozenset)
_MAX_TAGGED = 10_000
"""Characters of a text whose tags may be taken out."""
_REFUSED = frozenset({"center", "ljust", "rjust", "zfill", "expandtabs", "translate", "format_map", "maketrans"})
_WIDE = re.compile(r"\d{5,}")
_NESTED = re.compile(r"\{[^{}]*\{")
_TOO_MUCH = "the template makes too much text"


def bounded_range(*bounds: int) -> range:
    """Numbers in a row, not too many."""
    made = range(*bounds)
    if abs(made.stop - made.start) // abs(made.step) > 100_000:
        raise SecurityError("a range of more than 100000 numbers")
    return made


def measured(value: Any) -> Any:
    """A value that can be written in reasonable time: neither it nor what it holds, all told, is too large."""
    size_of(value)
    return value


def steps_for(value: Any) -> int:
    """What reading a value counts for, with all that it holds."""
    if isinstance(value, range):
        return len(value)
    return size_of(value) // ITEM


def size_of(value: Any) -> int:
    """The characters of a value with all that it holds, and some for each item; one that is too large is refused."""
    size, pending = 0, [value]
    while pending:
        item = pending.pop()
        size += ITEM + (len(item) if isinstance(item, str) else 0)
        if size > _LARGEST:
            raise SecurityError(_TOO_MUCH)
        if isinstance(item, (list, tuple, set)):
            pending.extend(item)
        elif isinstance(item, dict):
            pending.extend((*item.keys(), *item.values()))
        elif isinstance(item, _VIEWS):
            pending.extend(item)
        elif isinstance(item, Namespace):
            pending.extend(item._Namespace__attrs.values())
        elif isinstance(item, slice):
            pending.extend((item.start, item.stop, item.step))
    return size


def counting(function: Callable[..., Any], step: Callable[[int], None]) -> Callable[..., Any]:
    """A filter or test that counts what it reads and makes, and refuses what is too large."""

    @wraps(function)
    def bounded(*args: Any, **named: Any) -> Any:
        step(sum(steps_for(value) for value in (*args, *named.values())))
        result = not_too_large(
            function(*(counted(each, step) if isinstance(each, Iterator) else each for each in args), **named)
        )
        if isinstance(result, Iterator):
            return counted(result, step)
        step(len(result) // ITEM if isinstance(result, (str, list, tuple)) else 1)
        return result

    return bounded


def counted(items: Iterator[Any], step: Callable[[int], None]) -> Iterator[Any]:
    """Items that count, with all that they hold, as they are taken: what holds them may have grown since the iterator was made."""
    for item in items:
        step(1 + steps_for(item))
        yield item


def eager(function: Callable[..., Iterator[Any]]) -> Callable[..., list[Any]]:
    """A filter that takes all items at once, before they can grow."""

    @wraps(function)
    def taken(*args: Any, **named: Any) -> list[Any]:
        return list(function(*args, **named))

    return taken


def bounded_tags(strip: Callable[..., str]) -> Callable[..., str]:
    """Jinja's `striptags`, whose time is the square of the text's length."""

    def bounded(text: Any) -> str:
        if len(str(measured(text))) > _MAX_TAGGED:
            raise SecurityError(_TOO_MUCH)
        return strip(text)

    return bounded


def bounded_indent(indent: Callable[..., str]) -> Callable[..., str]:
    """Jinja's `indent`, not too wide."""

    def bounded(text: str, width: int | str = 4, *args: Any, **named: Any) -> str:
        if (isinstance(width, int) and width > 200) or (isinstance(width, str) and len(width) > 200):
            raise SecurityError("an indentation of more than 200")
        return indent(text, width, *args, **named)

    return bounded


def bounded_replace(text: object, old: str, new: str, count: int = -1) -> str:
    """Jinja's `replace`, refused where it could make a huge text."""
    written = str(measured(text))
    check_call(written.replace, (old, new))
    return written.replace(str(old), str(new), count)


def check_call(obj: Any, args: tuple[Any, ...]) -> None:
    """Refuse methods of texts that could make a huge one."""
    owner, name = getattr(getattr(obj, "__wrapped__", obj), "__self__", None), getattr(obj, "__name__", "")
    if isinstance(owner, list) and name == "extend" and args and hasattr(args[0], "__len__"):
        not_too_large([*owner, *args[0]])
    if not isinstance(owner, str) or isinstance(owner, UnknownValue):
        return
    if name in _REFUSED or (name == "format" and (_WIDE.search(owner) or _NESTED.search(owner))):
        raise SecurityError(f"{name} is not available")
    if name == "replace" and len(args) > 1 and len(owner) * max(len(str(args[1])), 1) > _LARGEST:
        raise SecurityError(_TOO_MUCH)
    if name == "join" and args and hasattr(args[0], "__len__") and len(owner) * len(args[0]) > _LARGEST:
        raise SecurityError(_TOO_MUCH)


def check_operands(operator: str, left: Any, right: Any) -> None:
    """Refuse products, powers and formats that could be huge."""
    if operator == "**" and not (abs(left) < 10**6 and abs(right) <= 64):
        raise SecurityError("a power that large")
    if operator == "*":
        for value, times in ((left, right), (right, left)):
            if isinstance(value, (str, list, tuple)) and isinstance(times, int) and len(value) * times > _LARGEST:
                raise SecurityError(_TOO_MUCH)
            if isinstance(value, int) and abs(value) > 10**1000:
                raise SecurityError("a number that large")
    if operator == "%" and isinstance(left, str) and (_WIDE.search(left) or "*" in left):
        raise SecurityError("a format that wide")


def not_too_large(value: Any) -> Any:
    """A value, if it is not a huge text or list."""
    if isinstance(value, (str, list, tuple)) and len(value) > _LARGEST:
        raise SecurityError(_TOO_MUCH)
    return value
