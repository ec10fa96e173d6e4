"""What somebody may search for: not more words, dots and signs than can be looked for at once."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

from headwater.server.parameters import Filter

_SIGNS, _WORDS = 30, 12


def bounded(text: str | None) -> str | None:
    """A text or pattern that is not too much to look for."""
    if text is not None and sum(map(text.count, ".*?[")) > _SIGNS:
        raise ValueError(f"there may be at most {_SIGNS} dots and signs (`*`, `?`, `[`)")
    return text


def few_words(text: str) -> str:
    """A text of not too many words."""
    if len(text.split()) > _WORDS:
        raise ValueError(f"there may be at most {_WORDS} words")
    return text


Pattern = Annotated[Filter, AfterValidator(bounded)]
"""A part of a name, or a pattern; none for everything."""
