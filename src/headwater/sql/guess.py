"""Guesses the dialect of scripts: by words that only few dialects have, and by what each dialect's grammar reads.

In come texts, out comes a `Guess` with its reasons. A mark that one dialect alone has counts most; one that several share is divided
between them. Of the dialects with the highest scores, the one that reads most statements wins. Nothing uses this unless it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from headwater.sql.dialect import dialect
from headwater.sql.dialect_marks import MARKS
from headwater.sql.parse import understood
from headwater.sql.script import statements

AUTO = "auto"
"""What a user writes instead of a dialect's name to have it guessed."""
PLAIN = "ansi"
"""What texts are read as that have no mark of any dialect."""

_MAX_CHARACTERS = 100_000
"""How much of the texts is looked at."""
_MAX_CHARACTERS_PER_TEXT = 20_000
_MAX_TRIED = 8
"""Dialects whose grammars are tried, the best by their marks."""
_MAX_REASONS = 4
_COMMON = ("snowflake", "bigquery", "postgres", "spark", "tsql")
"""Dialects that are tried even without a mark. Of dialects that fit equally well, these come first, then those that descend from none."""

_COMMENT = re.compile(r"--(?!#)[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Guess:
    """The dialect that fits best, what tells it, and how many of the statements that were tried it reads."""

    dialect: str
    reasons: tuple[str, ...]
    read: int
    tried: int
    also: tuple[str, ...] = ()
    """Other dialects that fit as well."""

    @property
    def words(self) -> str:
        """The guess in one line.

        >>> Guess("tsql", ("TOP 3",), 4, 5).words
        'read as tsql, which has TOP 3, and reads 4 of 5 statements'
        """
        told = f"which has {', '.join(self.reasons)}, and" if self.reasons else "as no word tells dialects apart: it"
        also = f"; {', '.join(self.also)} would do as well" if self.also else ""
        return f"read as {self.dialect}, {told} reads {self.read} of {self.tried} statements{also}"


def guess(texts: Iterable[str]) -> Guess:
    """The dialect of scripts, by a part of them."""
    parts = _parts(texts)
    marks = _marks("\n".join(_COMMENT.sub(" ", part) for part in parts))
    scores = {name: sum(1 / len(names.split()) for names, _ in found) for name, found in marks.items()}
    apart = [name for name in scores if scores[name] > scores.get(dialect(name).parent, 0)]
    best = sorted(apart, key=lambda name: (-scores[name], _rank(name)))[:_MAX_TRIED]
    tried = [*dict.fromkeys([PLAIN, *_COMMON, *best])]
    counts = {name: _read(parts, name) for name in tried}
    order = sorted(tried, key=lambda name: (counts[name][1] - counts[name][0], -scores.get(name, 0), _rank(name)))
    chosen = order[0]
    fit = (scores.get(chosen, -1), counts[chosen])
    same = [name for name in order[1:] if (scores.get(name, 0), counts[name]) == fit]
    reasons = [text for _, text in sorted(marks.get(chosen, ()), key=lambda each: len(each[0].split()))]
    return Guess(chosen, tuple(dict.fromkeys(reasons[:_MAX_REASONS])), *counts[chosen], tuple(same))


def _rank(name: str) -> tuple[int, bool, str]:
    """What decides between dialects that fit equally well."""
    common = (PLAIN, *_COMMON)
    return common.index(name) if name in common else len(common), bool(dialect(name).parent), name


def _parts(texts: Iterable[str]) -> list[str]:
    parts: list[str] = []
    left = _MAX_CHARACTERS
    for text in texts:
        if left <= 0:
            break
        part = text[: min(left, _MAX_CHARACTERS_PER_TEXT)]
        end = part.rfind(";")
        parts.append(part if len(part) == len(text) or end < 0 else part[: end + 1])
        left -= len(part)
    return parts


def _marks(text: str) -> dict[str, list[tuple[str, str]]]:
    """The marks in a text by dialect: who has each, and how it stands there."""
    found: dict[str, list[tuple[str, str]]] = {}
    for names, pattern in _patterns():
        match = pattern.search(text)
        if match is not None:
            for name in names.split():
                found.setdefault(name, []).append((names, " ".join(match[0].split())[:30]))
    return found


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    flags = re.IGNORECASE | re.MULTILINE
    return tuple((names, re.compile(each, flags)) for names, patterns in MARKS.items() for each in patterns)


def _read(parts: Sequence[str], name: str) -> tuple[int, int]:
    """How many statements a dialect reads, and how many there are."""
    spoken = dialect(name)
    found = [understood(statement) for part in parts for statement in statements(part, [spoken])]
    return sum(found), len(found)
