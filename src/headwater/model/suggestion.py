"""Names that somebody may have meant: the nearest of those there are."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_CUTOFF = 0.75


def nearest(name: str, known: Iterable[str], most: int = 2) -> list[str]:
    """The known names that are nearest to *name*, the nearest first.

    >>> nearest("amuont", ["amount", "order_id"])
    ['amount']
    """
    return get_close_matches(name, list(known), n=most, cutoff=_CUTOFF)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint at the nearest known names, or nothing."""
    near = nearest(name, known)
    return f"did you mean {' or '.join(near)}?" if near else ""
