"""BTEQ, FastLoad, MultiLoad: commands that begin with a dot, and a few that may do without it."""

from __future__ import annotations

import re
from functools import lru_cache

from headwater.sql.client.walk import Walk, client

_COMMAND = re.compile(r"\.\s*[A-Za-z]|(?:logon|logoff|quit)\b", re.IGNORECASE)
_TO_SEMICOLON = re.compile(
    r"\.\s*(?:layout|field|filler|table|dml|import|begin|end|logtable|accept|logon|display)\b", re.IGNORECASE
)
"""The loaders' commands, which go on over lines until their semicolon."""
_INCLUDE = re.compile(r"\.\s*run\s+file\s*=?\s*(?P<file>'[^']*'|\"[^\"]*\"|[^\s;,]+)", re.IGNORECASE)
_LOADER = re.compile(r"\n[ \t]*\.(?:layout|begin|logtable)\b", re.IGNORECASE)


@client("teradata", starts=r"\.\s*[A-Za-z]|(?:logon|logoff|quit)\b")
def bteq(walk: Walk) -> bool:
    """A command takes its line; in a loader's script some end with a semicolon only."""
    if not _COMMAND.match(walk.text, walk.at):
        return False
    walk.include(_INCLUDE)
    end = walk.line_end(walk.at)
    if _TO_SEMICOLON.match(walk.text, walk.at) and _is_loader(walk.text):
        semicolon = walk.text.find(";", walk.at)
        end = max(end, semicolon + 1)
    walk.skip(end)
    return True


@lru_cache(maxsize=1)
def _is_loader(text: str) -> bool:
    return _LOADER.search(text) is not None
