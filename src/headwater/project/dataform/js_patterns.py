"""Regular expressions, and what replaces parts of texts.

A placeholder in a text stays whole: what it stands for is not known, and so is whether a pattern would match a part of it.
"""

from __future__ import annotations

import re
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from headwater.project.dataform.js_meter import TooMuch
from headwater.project.dataform.js_values import (
    MAX_TEXT,
    Builtin,
    Closure,
    NoMethod,
    Pattern,
    Unknown,
    Value,
    placeholders_in,
    text_of,
)

if TYPE_CHECKING:
    from headwater.project.dataform.js_run import Machine

_MAX_MATCHING = 10**8
"""Steps that matching a regular expression may take, at most."""
_MATCHES_PER_STEP = 10


class _Match(NamedTuple):
    """A part of a text that is replaced, and the groups of the pattern in it."""

    start: int
    end: int
    groups: tuple[str | None, ...] = ()


def replace(machine: Machine, text: str, old: Value, new: Value = None, every: bool = False) -> str:
    """A text with other parts in the place of matches; raises `NoMethod` where they are not known."""
    if isinstance(new, (Builtin, Unknown)) or isinstance(old, Unknown):
        raise NoMethod("replace")
    every = every or (isinstance(old, Pattern) and "g" in old.flags)
    write = _writer(machine, text, old, new)
    placeholders = placeholders_in(text, machine.placeholders)
    made = list[str]()
    end = size = 0
    for number, match in enumerate(_matches(old, text)):
        written = text[match.start : match.end] if _cuts(match, placeholders) else write(match)
        machine.meter.step(steps=(number % _MATCHES_PER_STEP == 0) + len(written) // 100)
        made += (text[end : match.start], written)
        size += len(made[-2]) + len(written)
        if size > MAX_TEXT:
            raise TooMuch("the program makes too much text", 0)
        end = match.end
        if not every:
            break
    return "".join((*made, text[end:]))


def _matches(old: Value, text: str) -> Iterator[_Match]:
    """Where a pattern or a text stands in a text."""
    if isinstance(old, Pattern):
        pattern = compiled(old, text)
        if pattern is None:
            raise NoMethod("replace")
        yield from (_Match(*found.span(), found.groups()) for found in pattern.finditer(text))
        return
    wanted = text_of(old)
    at = text.find(wanted)
    while at >= 0:
        yield _Match(at, at + len(wanted))
        at = text.find(wanted, at + max(len(wanted), 1))


def _cuts(match: _Match, placeholders: list[tuple[int, int]]) -> bool:
    """Whether a match is a placeholder, or ends or begins inside of one."""
    first = bisect_right(placeholders, match.start, key=lambda each: each[1])
    last = bisect_left(placeholders, match.end, key=lambda each: each[0]) - 1
    if first > last:
        return False
    span = match[:2]
    return any(
        each == span or each[0] < match.start or match.end < each[1]
        for each in (placeholders[first], placeholders[last])
    )


def _writer(machine: Machine, text: str, old: Value, new: Value) -> Callable[[_Match], str]:
    """What a match becomes: what a function gives, or a text, in which `$1` is a group of a pattern."""
    if isinstance(new, Closure):
        return lambda match: machine.text(
            machine.called(new, [text[match.start : match.end], *match.groups, match.start, text])
        )
    written = text_of(new)
    if not isinstance(old, Pattern) or "$" not in written:
        return lambda match: written
    return lambda match: re.sub(r"\$(?:([1-9])|&)", lambda group: _group(text, match, group), written)


def _group(text: str, match: _Match, group: re.Match[str]) -> str:
    """What `$1` or `$&` stands for; `$9` is itself where there are fewer groups."""
    if group[1] is None:
        return text[match.start : match.end]
    number = int(group[1])
    return group[0] if number > len(match.groups) else match.groups[number - 1] or ""


def compiled(pattern: Pattern, text: str) -> re.Pattern[str] | None:
    """A regular expression that cannot take long on a text: what is repeated does not repeat or choose, and little is tried."""
    bare = re.sub(r"\\.|\[(?:[^\]\\]|\\.)*\]", "a", pattern.pattern)
    repeats = len(re.findall(r"[+*]|\{\d", bare))
    nested = re.search(r"\)(?:[+*]|\{\d)", bare) and (repeats > 1 or "|" in bare)
    if nested or len(text) > 20_000 or max(len(text), 2) ** max(repeats, 1) > _MAX_MATCHING:
        return None
    flags = (re.IGNORECASE if "i" in pattern.flags else 0) | (re.MULTILINE if "m" in pattern.flags else 0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # Python may read `[[a]` otherwise one day
            return re.compile(
                pattern.pattern.replace("(?<", "(?P<"), flags | (re.DOTALL if "s" in pattern.flags else 0)
            )
    except (re.error, RecursionError, OverflowError):
        return None


def test(machine: Machine, pattern: Pattern, text: Value) -> bool:
    """Whether a pattern matches a part of a text; raises `NoMethod`."""
    written = text_of(text)
    found = compiled(pattern, written)
    if found is None:
        raise NoMethod("test")
    return found.search(written) is not None
