"""Tags in what a schema says of a column: a list of them, or marks in its comment.

"@tag(pii)", "@tag(pii, gdpr)", "the customer's address #pii"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_CALLED = re.compile(r"@tags?\(([^()]*)\)", re.IGNORECASE)
_MARKED = re.compile(r"(?:^|(?<=[\s(\[,;]))#([^\W\d][\w=:/-]*)")


class Declared(NamedTuple):
    """A tag of a column; of the whole table where there is no column."""

    table: tuple[str, ...]
    column: str | None
    tag: str


def declared_tags(
    table: tuple[str, ...], column: str | None, tags: object = None, comment: str = ""
) -> Iterator[Declared]:
    """The tags of a column, each once; *tags* is a text with commas, or a list."""
    found = dict.fromkeys([*_listed(tags), *_in_comment(comment)])
    yield from (Declared(table, column, tag) for tag in found)


def _listed(tags: object) -> Iterator[str]:
    if isinstance(tags, str):
        yield from (part.strip() for part in tags.split(",") if part.strip())
    elif isinstance(tags, (list, tuple)):
        yield from (each.strip() for each in tags if isinstance(each, str) and each.strip())


def _in_comment(comment: str) -> Iterator[str]:
    for called in _CALLED.finditer(comment):
        yield from _listed(called[1])
    yield from (marked[1].rstrip(":-/=") for marked in _MARKED.finditer(comment))
