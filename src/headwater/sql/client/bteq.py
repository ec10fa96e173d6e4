"""BTEQ, FastLoad, MultiLoad: commands that begin with a dot, and a few that may do without it."""

from __future__ import annotations

import re

from headwater.sql.client.walk import Walk, client

_COMMAND = re.compile(r"\.\s*[A-Za-z]|(?:logon|logoff|quit)\b", re.IGNORECASE)
_TO_SEMICOLON = re.compile(
    r"\.\s*(?:layout|field|filler|table|dml|import|begin|end|logtable|accept|logon|display)\b", re.IGNORECASE
)
"""The loaders' commands, which go on over lines until their semicolon."""
_INCLUDE = re.compile(r"\.\s*run\s+file\s*=?\s*(?P<file>'[^']*'|\"[^\"]*\"|[^\s;,]+)", re.IGNORECASE)
_LOADER = re.compile(r"\n[ \t]*\.(?:layout|begin|logtable)\b", re.IGNORECASE)
_TOP = 20_000
"""How far down a loader's script its first command may stand."""


@client("teradata", starts=r"\.\s*[A-Za-z]|(?:logon|logoff|quit)\b")
def bteq(walk: Walk) -> bool:
    """A command takes its line; in a loader's script some end with a semicolon only."""
    if not _COMMAND.match(walk.text, walk.at):
        return False
    walk.include(_INCLUDE)
    end = walk.line_end(walk.at)
    if _TO_SEMICOLON.match(walk.text, walk.at) and _LOADER.search(walk.text, 0, _TOP):
        semicolon = walk.text.find(";", walk.at)
        end = max(end, semicolon + 1)
    walk.skip(end)
    return True
