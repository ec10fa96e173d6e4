"""SQL*Plus: commands of one line where a statement could begin, `/` alone on a line, and files by `@`."""

from __future__ import annotations

import re

from headwater.sql.client.walk import Walk, client

_WORDS = (
    *(
        r"rem(?:ark)?",
        r"prompt",
        r"pro",
        r"spo(?:o|ol)?",
        r"def(?:i|in|ine)?",
        r"undef(?:ine)?",
        r"whenever",
        r"exit",
        r"quit",
    ),
    *(
        r"col(?:umn)?",
        r"exec(?:ute)?(?!\s+immediate\b)",
        r"sho(?:w)?",
        r"conn(?:ect)?",
        r"disc(?:onnect)?",
        r"host",
        r"ho",
        r"acc(?:ept)?",
    ),
    *(
        r"pau(?:se)?",
        r"tti(?:tle)?",
        r"bti(?:tle)?",
        r"bre(?:ak)?",
        r"comp(?:ute)?",
        r"cl(?:ear)?",
        r"var(?:iable)?",
        r"print",
    ),
    *(
        r"timing",
        r"desc(?:ribe)?",
        r"start",
        r"get",
        r"run",
        r"list",
        r"save",
        r"edit",
        r"archive",
        r"passw(?:ord)?",
        r"store",
    ),
)
_COMMAND = re.compile(rf"(?:(?:{'|'.join(_WORDS)})(?![\w.])|@@?|!)", re.IGNORECASE)
_SET = re.compile(r"set\s+(?!role\b|transaction\b|constraints?\b)", re.IGNORECASE)
_INCLUDE = re.compile(r"(?:@@?|start\s)\s*(?P<file>'[^']*'|\"[^\"]*\"|[^\s;]+)", re.IGNORECASE)
_SLASH = re.compile(r"/[ \t]*\r?(?=\n|\Z)")


@client("oracle", starts=rf"(?:{'|'.join(_WORDS)})(?![\w.])|@|!|set\s")
def sqlplus(walk: Walk) -> bool:
    """A command takes its line, and the next one after a hyphen."""
    if not _COMMAND.match(walk.text, walk.at) and not _SET.match(walk.text, walk.at):
        return False
    walk.include(_INCLUDE)
    continued = not walk.text[walk.at : walk.at + 6].lower().startswith(("rem", "pro"))
    end = walk.line_end(walk.at)
    while continued and walk.text[walk.at : end].rstrip().endswith("-") and end < len(walk.text):
        end = walk.line_end(end + 1)
    walk.skip(end)
    return True


@client("oracle", starts=r"/[ \t]*\r?(?:\n|\Z)", anywhere=True)
def slash(walk: Walk) -> bool:
    """`/` alone on a line runs what stands before it."""
    if not _SLASH.match(walk.text, walk.at):
        return False
    walk.cut(walk.at)
    walk.skip(walk.at + 1)
    return True
