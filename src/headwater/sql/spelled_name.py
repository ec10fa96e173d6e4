"""Names as a catalog spells them: dotted, parts in quotes where their case or a dot in them is to be kept."""

from __future__ import annotations

from headwater.model.entity import TableName

_PAIRS = {'"': '"', "`": "`", "[": "]"}


def in_quotes(name: str) -> str:
    """A name in double quotes.

    >>> in_quotes('Orders')
    '"Orders"'
    """
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def unquoted(name: str) -> tuple[str, bool]:
    """One part of a name without its quotes, and whether it had any.

    >>> unquoted("`a``b`")
    ('a`b', True)
    """
    if len(name) > 1 and _PAIRS.get(name[0]) == name[-1]:
        return name[1:-1].replace(name[-1] * 2, name[-1]), True
    return name, False


def bare(name: str) -> str:
    """One part of a name without its quotes."""
    return unquoted(name)[0]


def split_name(name: str) -> list[str]:
    """The parts of a dotted name, with their quotes; dots inside of quotes do not count.

    >>> split_name('shop."a.b"')
    ['shop', '"a.b"']
    """
    if not any(mark in name for mark in _PAIRS):
        return name.split(".")
    parts, start, closing = [], 0, ""
    for i, sign in enumerate(name):
        if closing:
            closing = "" if sign == closing else closing
        elif i == start and sign in _PAIRS:
            closing = _PAIRS[sign]
        elif sign in _PAIRS.values() and name[i - 1] == sign:
            closing = sign  # a doubled quote: the name goes on
        elif sign == ".":
            parts.append(name[start:i])
            start = i + 1
    return [*parts, name[start:]]


def parts_of(name: str) -> TableName:
    """The parts of a dotted name, without their quotes."""
    return tuple(map(bare, split_name(name)))
