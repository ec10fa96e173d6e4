"""Statements that end at a mark of the script's own choice: mysql's DELIMITER, the terminator of Db2's command line processor."""

from __future__ import annotations

import re
from collections.abc import Sequence

from headwater.model.span import Span
from headwater.sql.client.walk import Walk


def cut_at(walk: Walk, mark: str, literals: Sequence[str], command: re.Pattern[str]) -> re.Match[str] | None:
    """Cut at a mark, outside of *literals*, up to the next line with the *command* that sets one; gives that line, already blanked out."""
    start = walk.at
    parts = (re.escape(mark), *literals, rf"\n[ \t]*(?P<next>(?={command.pattern.replace('?P<mark>', '?:')}))")
    stops = re.compile("|".join(parts), re.DOTALL | re.IGNORECASE)
    end = len(walk.text)
    while (stop := stops.search(walk.text, walk.at)) is not None:
        walk.at = stop.end()
        if stop["next"] is not None:
            end = stop.end()
            break
        if stop.group() == mark:
            walk.blanks.append(Span(*stop.span()))
            walk.cut(stop.start())
    walk.at = end
    walk.uncut.append(Span(start, end))
    walk.cut(end)
    following = command.match(walk.text, end)
    if following is not None:
        walk.skip(following.end())
    return following
