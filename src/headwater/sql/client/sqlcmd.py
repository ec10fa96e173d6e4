"""sqlcmd: lines that begin with a colon, and `!!` for the shell. `GO` is a matter of splitting."""

from __future__ import annotations

import re

from headwater.sql.client.walk import Walk, client

_COMMAND = re.compile(
    r":(?:setvar|r|connect|on\s+error|out|error|perftrace|list|listvar|reset|ed|exit|quit|serverlist|xml|help)\b|!!",
    re.IGNORECASE,
)
_INCLUDE = re.compile(r":r\s+(?P<file>\"[^\"]*\"|'[^']*'|\S+)", re.IGNORECASE)


@client("tsql", starts=r":[a-z]|!!", anywhere=True)
def sqlcmd(walk: Walk) -> bool:
    """A command takes its line, also in the middle of a batch."""
    if not _COMMAND.match(walk.text, walk.at):
        return False
    walk.include(_INCLUDE)
    walk.skip_line()
    return True
