"""Databricks notebooks kept as SQL source: cells, and magic lines, which are comments to everybody else."""

from __future__ import annotations

import re

from headwater.sql.client.walk import Walk, client

_CELL = re.compile(r"--[ \t]*COMMAND[ \t]*-{3,}")
_MAGIC = re.compile(r"--[ \t]*MAGIC\b")
_INCLUDE = re.compile(r"--[ \t]*MAGIC[ \t]+%run[ \t]+(?P<file>'[^']*'|\"[^\"]*\"|\S+)")


@client(
    "databricks", "spark", starts=r"--[ \t]*(?:COMMAND[ \t]*---|MAGIC\b)", anywhere=True, words=("command", "magic")
)
def notebook(walk: Walk) -> bool:
    """A cell ends what stands in it; magic lines are of another language."""
    if _CELL.match(walk.text, walk.at):
        walk.cut(walk.at)
    elif not _MAGIC.match(walk.text, walk.at):
        return False
    walk.include(_INCLUDE)
    walk.skip_line()
    return True
