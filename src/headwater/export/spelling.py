"""The parts of a table's name as its first place spells them."""

from __future__ import annotations

from collections.abc import Sequence


def spelled_parts(shown: str, folded: Sequence[str]) -> list[str]:
    """The parts of a shown name, found by the folded ones; a part that is not shown, or shown otherwise, is the folded one.

    >>> spelled_parts("Person.Address", ["db", "person", "address"])
    ['db', 'Person', 'Address']
    """
    found: list[str] = []
    rest: str | None = shown
    for part in reversed(folded):
        spelled = part
        if rest is not None and rest[-len(part) :].casefold() == part.casefold():
            spelled, rest = rest[-len(part) :] if part else "", rest[: len(rest) - len(part)]
            rest = rest[:-1] if rest.endswith(".") else None
        else:
            rest = None
        found.append(spelled)
    return found[::-1]
