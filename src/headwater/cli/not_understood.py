"""Lines about statements that were not understood, where an answer depends on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from headwater.cli.cells import visible

if TYPE_CHECKING:
    from headwater.graph.lost import LostStatement

_MOST_LISTED = 20


def not_understood_lines(found: Sequence[LostStatement]) -> Iterator[str]:
    """A heading, the first statements, and how many more there are; nothing if all were understood."""
    if not found:
        return
    words = "1 statement was" if len(found) == 1 else f"{len(found):,} statements were"
    yield click.style(f"{words} not understood and may change this answer:", fg="yellow")
    for each in found[:_MOST_LISTED]:
        yield f"  {visible(str(each.place or '(no place)'))}  {each.code}: {visible(each.message)}"
    if len(found) > _MOST_LISTED:
        yield f"  and {len(found) - _MOST_LISTED:,} more; headwater diagnostics lists them"
