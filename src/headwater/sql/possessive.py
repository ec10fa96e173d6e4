r"""Patterns with possessive quantifiers (`\s++`) and atomic groups (`(?>…)`), which do not go back: Python knows them since 3.11.

For Python 3.10 each is written as a lookahead that captures and a reference to what it captured, which does not go back either:
`\s++` becomes `(?=(?P<_1>\s+))(?P=_1)`.
"""

from __future__ import annotations

import re
import sys
from itertools import count

_QUANTIFIER = re.compile(r"(?:[*+?]|\{\d*,?\d*\})\+?\??")


def compile_possessive(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a pattern that may have possessive quantifiers and atomic groups; groups of its own must have names."""
    return re.compile(pattern if sys.version_info >= (3, 11) else translated(pattern), flags)


def translated(pattern: str) -> str:
    r"""A pattern without possessive quantifiers and atomic groups that matches the same.

    >>> translated(r"(?>a|\s)*+b?+c")
    '(?=(?P<_1>(?:(?=(?P<_0>a|\\s))(?P=_0))*))(?P=_1)(?=(?P<_2>b?))(?P=_2)c'
    """
    return _Translation(pattern).run()


class _Translation:
    """A pattern that is read from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._names = (f"_{number}" for number in count())

    def run(self) -> str:
        """Everything up to the end of the pattern, or of the group that is open."""
        made = []
        while self._at < len(self._pattern) and self._pattern[self._at] != ")":
            made.append(self._quantified(self._atom()))
        return "".join(made)

    def _atom(self) -> str:
        """A character, a class or a group."""
        start = self._at
        first = self._pattern[start]
        if first == "(":
            return self._group()
        if first == "[":
            end = self._pattern.index("]", start + 2 + self._pattern.startswith("[^", start))
            while self._pattern[end - 1] == "\\" and self._pattern[end - 2] != "\\":
                end = self._pattern.index("]", end + 1)
            self._at = end + 1
        else:
            self._at += 2 if first == "\\" else 1
        return self._pattern[start : self._at]

    def _group(self) -> str:
        head = re.compile(r"\((?:\?(?:P<\w+>|<?[=!]|[:>]))?").match(self._pattern, self._at)
        assert head is not None
        self._at = head.end()
        inner = self.run()
        self._at += 1
        return f"(?:{self._atomic(inner)})" if head[0] == "(?>" else f"{head[0]}{inner})"

    def _quantified(self, atom: str) -> str:
        found = _QUANTIFIER.match(self._pattern, self._at) if atom not in "|^$" else None
        if found is None:
            return atom[3:-1] if atom.startswith("(?:(?=(?P<_") else atom
        self._at = found.end()
        if len(found[0]) > 1 and found[0].endswith("+"):
            return self._atomic(atom + found[0][:-1])
        return atom + found[0]

    def _atomic(self, inner: str) -> str:
        name = next(self._names)
        return f"(?=(?P<{name}>{inner}))(?P={name})"
