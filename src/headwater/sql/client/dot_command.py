"""The shells of SQLite and DuckDB: commands that begin with a dot. `.import` loads a file into a table."""

from __future__ import annotations

import re

from headwater.sql.client.walk import Walk, client

_INCLUDE = re.compile(r"\.read\s+(?P<file>'[^']*'|\"[^\"]*\"|\S+)")
_IMPORT = re.compile(r"\.import\s")
_COMMAND = re.compile(r"\.[a-z]+")


@client("sqlite", "duckdb", starts=r"\.[a-z]")
def dot_command(walk: Walk) -> bool:
    """A command takes its line; an import stays, without its dot, as a statement."""
    if not _COMMAND.match(walk.text, walk.at):
        return False
    if _IMPORT.match(walk.text, walk.at):
        walk.skip(walk.at + 1)
        walk.at = walk.line_end(walk.at)
        walk.cut(walk.at)
        return True
    walk.include(_INCLUDE)
    walk.skip_line()
    return True
