"""The shells of SQLite and DuckDB: commands that begin with a dot. `.import` loads a file into a table."""

from __future__ import annotations

import re

from headwater.model.span import Span
from headwater.sql.client.walk import Walk, client

_INCLUDE = re.compile(r"\.read\s+(?P<file>'[^']*'|\"[^\"]*\"|\S+)")
_IMPORT = re.compile(r"\.import(?P<options>(?:[ \t]+--?(?:skip[ \t]+\d+|schema[ \t]+\S+|\w+))*)[ \t]")
_COMMAND = re.compile(r"\.[a-z]+")


@client("sqlite", "duckdb", starts=r"\.[a-z]")
def dot_command(walk: Walk) -> bool:
    """A command takes its line; an import stays as a statement, without its dot and options."""
    if not _COMMAND.match(walk.text, walk.at):
        return False
    if (loads := _IMPORT.match(walk.text, walk.at)) is not None:
        walk.skip(walk.at + 1)
        walk.blanks.append(Span(*loads.span("options")))
        walk.at = walk.line_end(walk.at)
        walk.cut(walk.at)
        return True
    walk.include(_INCLUDE)
    walk.skip_line()
    return True
