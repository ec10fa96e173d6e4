"""Changes of a statement's text before Spark gets it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Edit(NamedTuple):
    """What stands in the place of a piece of text; *end* is exclusive."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text with its edits.

    >>> edited("a.b.c", [Edit(0, 3, "ab")])
    'ab.c'
    """
    pieces: list[str] = []
    done = 0
    for each in sorted(edits):
        pieces += [text[done : each.start], each.text]
        done = each.end
    return "".join(pieces) + text[done:]
