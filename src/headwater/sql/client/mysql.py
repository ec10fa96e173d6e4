r"""The mysql client: DELIMITER, `\G` and `\g`, source, and its other commands."""

from __future__ import annotations

import re

from headwater.model.span import Span
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
        match = _cut_at(walk, match["mark"])
    return True


_LITERALS = (
    r"'(?:[^'\\]|\\.|'')*(?:'|\Z)",
    r"\"(?:[^\"\\]|\\.)*(?:\"|\Z)",
    *(r"`[^`]*(?:`|\Z)", r"--[^\n]*", r"#[^\n]*", r"/\*.*?(?:\*/|\Z)"),
)


def _cut_at(walk: Walk, mark: str) -> re.Match[str] | None:
    """Cut at a mark, outside of literals, up to the next DELIMITER line; gives that line, already blanked out."""
    start = walk.at
    parts = (re.escape(mark), *_LITERALS, r"\n[ \t]*(?P<next>delimiter[ \t])")
    stops = re.compile("|".join(parts), re.DOTALL | re.IGNORECASE)
    end = len(walk.text)
    while (stop := stops.search(walk.text, walk.at)) is not None:
        walk.at = stop.end()
        if stop["next"]:
            end = stop.start("next")
            break
        if stop.group() == mark:
            walk.blanks.append(Span(*stop.span()))
            walk.cut(stop.start())
    walk.at = end
    walk.uncut.append(Span(start, end))
    walk.cut(end)
    following = _DELIMITER.match(walk.text, end)
    if following is not None:
        walk.skip(following.end())
    return following


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
