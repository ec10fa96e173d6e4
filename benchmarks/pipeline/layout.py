"""Odd layout: the same statement on one line or on many, in other case, with comments in between.

Texts come in with single spaces, none of them inside a literal, so each may become any white space or a comment.
"""

from __future__ import annotations

import random

_COMMENTS = ("-- checked; don't touch\n", "/* was: SELECT * FROM old_one; */", "/* todo */", "-- see 'wiki'\n")
_CLAUSES = frozenset({"SELECT", "FROM", "WHERE", "GROUP", "JOIN", "LEFT", "WHEN", "UNION", "SET", "ON", "HAVING"})


def laid_out(text: str, rng: random.Random) -> str:
    """The text in some layout."""
    style = rng.random()
    if style < 0.3:
        return text
    if style < 0.6:
        return _lines(text)
    if style < 0.8:
        return _ragged(text, rng)
    return _cased(_lines(text), upper=style > 0.95)


def _lines(text: str) -> str:
    """Each clause on a line of its own."""
    words = text.split(" ")
    return words[0] + "".join(("\n  " if word in _CLAUSES else " ") + word for word in words[1:])


def _ragged(text: str, rng: random.Random) -> str:
    words = text.split(" ")
    return words[0] + "".join(_gap(rng, word) + word for word in words[1:])


def _gap(rng: random.Random, word: str) -> str:
    """What stands before a word; no comment between GROUP and BY, which the parsers at hand read as one word."""
    chance = rng.random()
    if chance < 0.03 and word != "BY":
        return f" {rng.choice(_COMMENTS)} "
    return "  " if chance < 0.1 else "\t" if chance < 0.14 else "\n\n    " if chance < 0.2 else " "


def _cased(text: str, upper: bool) -> str:
    """All of it in one case, the holes for literals excepted."""
    parts = text.split("\x00")
    return "\x00".join(part if i % 2 else part.upper() if upper else part.lower() for i, part in enumerate(parts))
