"""Text as a terminal shows it: how many cells a piece takes, and what must not reach a terminal as it is."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from headwater.model.visible import visible as visible

TAB = 4
"""Cells between tab stops."""


def expanded(text: str, column: int = 0) -> str:
    r"""The text as it is shown from a cell on: tabs filled up to their stops, the rest made visible.

    >>> expanded("a\tb", 2)
    'a b'
    """
    if "\t" not in text:
        return visible(text)
    parts = []
    for i, piece in enumerate(text.split("\t")):
        if i:
            stop = TAB - column % TAB
            parts.append(" " * stop)
            column += stop
        shown = visible(piece)
        parts.append(shown)
        column += width(shown)
    return "".join(parts)


def width(text: str) -> int:
    """The cells that a text takes: two for a wide character, none for a mark on the one before.

    >>> width("名前 e\u0301")
    6
    """
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def is_right_to_left(text: str) -> bool:
    """Whether a terminal may put the text's characters in another order than they are in."""
    return not text.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in text)


def head(text: str, cells: int) -> str:
    """As much of a text's beginning as fits into some cells, with a mark if something is left out."""
    return text if width(text) <= cells else _taken(iter(text), cells - 1) + "…"


def tail(text: str, cells: int) -> str:
    """As much of a text's end as fits into some cells, with a mark if something is left out."""
    return text if width(text) <= cells else "…" + _taken(reversed(text), cells - 1)[::-1]


def _taken(characters: Iterator[str], cells: int) -> str:
    taken = []
    for character in characters:
        cells -= _cells(character)
        if cells < 0:
            break
        taken.append(character)
    return "".join(taken)
