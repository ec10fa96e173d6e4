r"""The mysql client: DELIMITER, `\G` and `\g`, source, and its other commands."""

from __future__ import annotations

import re

from headwater.sql.client.delimiter import cut_at
from headwater.sql.client.walk import Walk, client

_DELIMITER = re.compile(r"delimiter[ \t]+(?P<mark>\S+)[^\n]*", re.IGNORECASE)
_INCLUDE = re.compile(r"(?:source|\\\.)\s+(?P<file>'[^']*'|[^\s;]+)", re.IGNORECASE)
_COMMAND = re.compile(
    r"(?:source|system|tee|notee|pager|nopager|warnings|nowarning|prompt|status|quit|exit)\b|\\[^gG]", re.IGNORECASE
)
_SENDS = re.compile(r"\\[gG]")


@client("mysql", starts=r"delimiter[ \t]")
def delimiter(walk: Walk) -> bool:
    """From here on to the next DELIMITER, statements end at the mark and nowhere else."""
    match = _DELIMITER.match(walk.text, walk.at)
    if match is None:
        return False
    walk.skip(match.end())
    while match is not None and match["mark"] != ";":
        match = cut_at(walk, match["mark"], _LITERALS, _DELIMITER)
    return True


_LITERALS = (
    r"'(?:[^'\\]|\\.|'')*(?:'|\Z)",
    r"\"(?:[^\"\\]|\\.)*(?:\"|\Z)",
    *(r"`[^`]*(?:`|\Z)", r"--[^\n]*", r"#[^\n]*", r"/\*.*?(?:\*/|\Z)"),
)


@client(
    "mysql", starts=r"(?:source|system|tee|notee|pager|nopager|warnings|nowarning|prompt|status|quit|exit)\b|\\[^gG]"
)
def command(walk: Walk) -> bool:
    """A command takes its line."""
    if not _COMMAND.match(walk.text, walk.at):
        return False
    walk.include(_INCLUDE)
    walk.skip_line()
    return True


@client("mysql", starts=r"\\[gG]", in_line=r"\\[gG]", anywhere=True)
def send(walk: Walk) -> bool:
    r"""`\G` ends a statement like a semicolon."""
    if not _SENDS.match(walk.text, walk.at):
        return False
    walk.cut(walk.at)
    walk.skip(walk.at + 2)
    return True
