"""Db2's command line processor: connections, echoes and commands of the operating system among the statements."""

from __future__ import annotations

import re

from headwater.sql.client.delimiter import cut_at
from headwater.sql.client.walk import Walk, client

_TERMINATOR = re.compile(r"--#SET[ \t]+TERMINATOR[ \t]+(?P<mark>\S+)[^\n]*", re.IGNORECASE)
_LITERALS = (r"'(?:[^']|'')*(?:'|\Z)", r'"[^"]*(?:"|\Z)', r"--(?!#SET[ \t]+TERMINATOR)[^\n]*", r"/\*.*?(?:\*/|\Z)")

_COMMAND = re.compile(
    r"(?:connect(?:\s+(?:to|reset)\b|\s*;)|disconnect\s|echo(?=\s|;)|terminate\b|quit\b|attach\s+to\b|update\s+command\s+options\b|!)",
    re.IGNORECASE,
)


@client("db2", starts=r"--\#SET[ \t]+TERMINATOR[ \t]", anywhere=True)
def terminator(walk: Walk) -> bool:
    """`--#SET TERMINATOR @`: from here on to the next such line, statements end at the mark and nowhere else."""
    match = _TERMINATOR.match(walk.text, walk.at)
    if match is None:
        return False
    walk.skip(match.end())
    while match is not None and match["mark"] != ";":
        match = cut_at(walk, match["mark"], _LITERALS, _TERMINATOR)
    return True


@client("db2", starts=r"(?:connect|disconnect|echo|terminate|quit|attach\s+to|update\s+command)\b|!")
def clp(walk: Walk) -> bool:
    """A command takes its line: `CONNECT TO db`, `ECHO text`, `TERMINATE`, `! ls`."""
    if not _COMMAND.match(walk.text, walk.at):
        return False
    walk.skip_line()
    return True
