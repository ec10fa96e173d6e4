r"""psql: backslash commands, data lines behind COPY … FROM STDIN, and `\copy`, which is a COPY that the client runs."""

from __future__ import annotations

import re

from headwater.sql.client.walk import Walk, after_statement, client

_INCLUDE = re.compile(r"\\(?:i|ir|include|include_relative)\s+(?P<file>'[^']*'|[^\s;]+)")
_COPY = re.compile(r"\\copy\b", re.IGNORECASE)
_SENDS = re.compile(r"\\(?:g|gx|gset|gexec|gdesc|crosstabview|watch)(?!\w)")
_FROM_STDIN = re.compile(r"\s*copy\b[^;]*\bfrom\s+stdin\b", re.IGNORECASE)
_DATA_END = re.compile(r"^\\\.[ \t]*\r?$", re.MULTILINE)


@client("postgres", "redshift", starts=r"\\", anywhere=True, in_line=r"\\")
def psql(walk: Walk) -> bool:
    """From the backslash to the end of the line; commands that send what was typed so far end the statement."""
    text = walk.text
    if not text.startswith("\\", walk.at):
        return False
    if text.startswith("\\;", walk.at):
        walk.cut(walk.at)
        walk.skip(walk.at + 2)
        return True
    if _COPY.match(text, walk.at) and not walk.under_way:
        walk.skip(walk.at + 1)
        end = walk.line_end(walk.at)
        walk.at = end
        walk.cut(end)
        return True
    if _SENDS.match(text, walk.at):
        walk.cut(walk.at)
    walk.include(_INCLUDE)
    walk.skip_line()
    return True


@after_statement("postgres", "redshift")
def data_lines(walk: Walk) -> None:
    r"""`COPY t FROM STDIN;` is followed by lines of data, up to one with `\.` alone."""
    if _FROM_STDIN.match(walk.text, walk.statement, walk.at) and (end := _DATA_END.search(walk.text, walk.at)):
        walk.skip(end.end())
