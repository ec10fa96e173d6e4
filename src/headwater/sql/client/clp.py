"""Db2's command line processor: connections, echoes and commands of the operating system among the statements."""

from __future__ import annotations

import re

from headwater.sql.client.walk import Walk, client

_COMMAND = re.compile(
    r"(?:connect(?:\s+(?:to|reset)\b|\s*;)|disconnect\s|echo(?=\s|;)|terminate\b|quit\b|attach\s+to\b|update\s+command\s+options\b|!)",
    re.IGNORECASE,
)


@client("db2", starts=r"(?:connect|disconnect|echo|terminate|quit|attach\s+to|update\s+command)\b|!")
def clp(walk: Walk) -> bool:
    """A command takes its line: `CONNECT TO db`, `ECHO text`, `TERMINATE`, `! ls`."""
    if not _COMMAND.match(walk.text, walk.at):
        return False
    walk.skip_line()
    return True
