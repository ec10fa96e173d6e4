"""What `build` says when it meets hundreds of bare queries in folders that name tables: the setting that connects them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from headwater.files import open_file
from headwater.sql.text import decode

_COMMENTS = re.compile(rb"\s*(?:--[^\n]*(?:\n|$)|/\*.*?\*/|\{#.*?#\}|\s+)", re.DOTALL)
_QUERY = re.compile(r"\(*\s*(?:SELECT|WITH|FROM)\b", re.IGNORECASE)
_WRITES = re.compile(r"\b(?:CREATE|INSERT|MERGE|UPDATE|INTO)\b", re.IGNORECASE)
_BYTES_READ = 16_384


def suggested_targets(paths: Sequence[str], exclude: Sequence[str]) -> Iterator[str]:
    """The setting to paste, if there is one that would help."""
    from headwater.source import PRESETS, find_files, suggestion

    folders = [path for path in paths if Path(path).is_dir()]
    found = [Path(path) for path in find_files(folders, ("*.sql",), exclude)] if folders else []
    found = [path for path in found if path.is_file()]  # a pipe that was named itself would wait for its writer
    shown = {path: path.as_posix() for path in found if any(each.filled(path.as_posix()) for each in PRESETS.values())}
    words = suggestion([name for path, name in shown.items() if _is_bare_query(path)])
    if words:
        yield from words.splitlines()


def _is_bare_query(path: Path) -> bool:
    try:
        with open_file(path) as file:
            start = file.read(_BYTES_READ)
    except OSError:
        return False
    at = 0
    while (comment := _COMMENTS.match(start, at)) and comment.end() > at:
        at = comment.end()
    text = decode(start[at:]).text
    return _QUERY.match(text) is not None and _WRITES.search(text) is None
