"""SnowSQL: lines that begin with an exclamation mark."""

from __future__ import annotations

import re

from headwater.sql.client.walk import Walk, client

_COMMAND = re.compile(r"![A-Za-z]")
_INCLUDE = re.compile(r"!(?:source|load)\s+(?P<file>'[^']*'|\"[^\"]*\"|[^\s;]+)", re.IGNORECASE)


@client("snowflake", starts=r"![a-z]")
def snowsql(walk: Walk) -> bool:
    """A command takes its line."""
    if not _COMMAND.match(walk.text, walk.at):
        return False
    walk.include(_INCLUDE)
    walk.skip_line()
    return True
