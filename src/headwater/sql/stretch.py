"""A script's text taken apart at its semicolons, before anybody has tokenised it.

That is a guess, which literals of some dialects lead astray: `split.stretch_pieces` says whether a stretch is what it seems to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.model.span import Span
from headwater.sql.possessive import compile_possessive

_LEADING = compile_possessive(r"(?:[ \t\r\n]++|--[ \t\r][^\n]*+\n|--\n)*+")
"""Blanks, and lines that are comments in every dialect: MySQL's `--` needs a blank behind it."""
_STRETCH = compile_possessive(
    r"(?:[^;'\"`/-]++|--[^\n]*+|/\*.*?(?:\*/|\Z)|'(?:[^'\\]++|\\.)*+(?:'|\Z)|\"(?:[^\"\\]++|\\.)*+(?:\"|\Z)"
    r"|`[^`]*+(?:`|\Z)|[/-])*+;",
    re.DOTALL,
)
"""Everything up to a semicolon that is in no literal and no comment. What is not closed goes on to the end."""


def stretches(sql: str) -> Iterator[Span]:
    """The stretches of a script, each from its first word to its semicolon; the last one has none if the script ends without."""
    end = 0
    while end < len(sql):
        leading = _LEADING.match(sql, end)
        start = leading.end() if leading else end
        found = _STRETCH.match(sql, start)
        end = found.end() if found else len(sql)
        if start < end:
            yield Span(start, end)
