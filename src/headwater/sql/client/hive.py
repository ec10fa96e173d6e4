"""The Hive and Spark SQL shells: `source f;`, `!ls;`, `dfs -ls /;`."""

from __future__ import annotations

import re

from headwater.sql.client.walk import Walk, client

_STARTS = r"source\s|![a-z]|dfs\s|(?:quit|exit)\s*;"
_COMMAND = re.compile(_STARTS, re.IGNORECASE)
_INCLUDE = re.compile(r"source\s+(?P<file>'[^']*'|\"[^\"]*\"|[^\s;]+)", re.IGNORECASE)


@client("hive", "spark", starts=_STARTS, words=("source", "!", "dfs", "quit", "exit"))
def shell(walk: Walk) -> bool:
    """A command ends with its semicolon, or with its line."""
    if not _COMMAND.match(walk.text, walk.at):
        return False
    walk.include(_INCLUDE)
    line_end = walk.line_end(walk.at)
    semicolon = walk.text.find(";", walk.at, line_end)
    walk.skip(semicolon + 1 if semicolon >= 0 else line_end)
    return True
