"""The names in an expression, told from strings, quoted names, numbers and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PIECE = re.compile(
    r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|--[^\n]*|/\*.*?\*/|\d[\w.]*|(?P<word>[^\W\d]\w*)|.", re.DOTALL
)


def words(sql: str) -> Iterator[tuple[str, bool]]:
    """The pieces of an expression in order, each with whether it is a bare name; put together they are the expression.

    >>> [piece for piece, is_name in words("a + 'b' / nullif(c, 0)") if is_name]
    ['a', 'nullif', 'c']
    """
    for match in _PIECE.finditer(sql):
        yield match[0], match.lastgroup == "word"
