"""Properties of tables from which the grammar does not return if there is a mistake in their brackets, in any dialect.

`SYSTEM_VERSIONING = ON (HISTORY_TABLE = h)` and `DATA_DELETION = ON (FILTER_COLUMN = c)` say where and how long old rows are kept, which
is nothing to lineage: what stands in the brackets is left out before the grammar sees it.
"""

from __future__ import annotations

from headwater.sql.respell.rule import Tokens, closing, word

_WORDS = ("SYSTEM_VERSIONING", "DATA_DELETION")


def may_be_endless(text: str) -> bool:
    """Whether a text in upper case may hold such a property."""
    return any(map(text.__contains__, _WORDS))


def ended(tokens: Tokens) -> Tokens:
    """The tokens without what these properties have in brackets."""
    kept: Tokens = []
    position = 0
    for i in range(len(tokens)):
        if i >= position and word(tokens, i) in _WORDS:
            opening = _opening(tokens, i + 1)
            kept += tokens[position:opening]
            position = closing(tokens, opening) + 1 if word(tokens, opening) == "(" else opening
    return kept + tokens[position:]


def _opening(tokens: Tokens, i: int) -> int:
    """The first token behind the property's `= ON`."""
    while word(tokens, i) in ("=", "ON"):
        i += 1
    return i
