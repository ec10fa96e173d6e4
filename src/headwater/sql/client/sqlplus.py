"""SQL*Plus: commands of one line where a statement could begin, EXECUTE, `/` alone on a line, and files by `@`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.model.span import Span
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
_EXECUTE = re.compile(r"exec(?:ute)?(?![\w.])(?!\s+immediate\b)", re.IGNORECASE)
_SLASH = re.compile(r"/[ \t]*\r?(?=\n|\Z)")


@client("oracle", starts=rf"(?:{'|'.join(_WORDS)})(?![\w.])|@|!|set\s")
def sqlplus(walk: Walk) -> bool:
    """A command takes its line, and the next one after a hyphen."""
    if not _COMMAND.match(walk.text, walk.at) and not _SET.match(walk.text, walk.at):
        return False
    walk.include(_INCLUDE)
    if walk.text[walk.at : walk.at + 6].lower().startswith(("rem", "pro")):
        walk.skip_line()
        return True
    *_, last = _lines(walk)
    walk.skip(last)
    return True


def _lines(walk: Walk) -> Iterator[int]:
    """The ends of the lines of a command: a hyphen continues it on the next one."""
    end = walk.line_end(walk.at)
    while walk.text[walk.at : end].rstrip().endswith("-") and end < len(walk.text):
        yield end
        end = walk.line_end(end + 1)
    yield end


@client("oracle", starts=_EXECUTE.pattern)
def execute(walk: Walk) -> bool:
    """`EXECUTE p(1)` is a program of one line, `BEGIN p(1); END;`: it stays, without the hyphens that continue it."""
    if not _EXECUTE.match(walk.text, walk.at):
        return False
    start = walk.at
    walk.cut(start)
    *continued, end = _lines(walk)
    for line in continued:
        walk.at = walk.text.rindex("-", start, line)
        walk.skip(line)
    walk.uncut.append(Span(start, end))
    walk.at = end
    walk.cut(end)
    return True


@client("oracle", starts=r"/[ \t]*\r?(?:\n|\Z)", anywhere=True)
def slash(walk: Walk) -> bool:
    """`/` alone on a line runs what stands before it."""
    if not _SLASH.match(walk.text, walk.at):
        return False
    walk.cut(walk.at)
    walk.skip(walk.at + 1)
    return True
