"""Patterns of paths, as in `.gitignore`: which scripts an override is for.

`*` and `?` stand for characters of one name, `**` for any number of folders. A pattern without a slash is about a name
anywhere below the configuration file's folder, one with a slash about the path from there. A pattern that fits a folder fits
everything in it.
"""

from __future__ import annotations

import re
from functools import cache

_TOKEN = re.compile(r"(?P<folders>\*\*/)|(?P<all>\*\*)|(?P<some>\*)|(?P<one>\?)|(?P<set>\[!?[^]/]+\])")
_MEANING = {"folders": "(?:[^/]+/)*", "all": ".*", "some": "[^/]*", "one": "[^/]"}


def fits(pattern: str, path: str) -> bool:
    """Whether a pattern is about a path, which has forward slashes and begins at the pattern's folder.

    >>> fits("legacy/**/*.sql", "legacy/a.sql"), fits("*_tsql.sql", "mart/x_tsql.sql"), fits("legacy", "legacy/a/b.sql")
    (True, True, True)
    >>> fits("legacy/*.sql", "legacy/old/a.sql")
    False
    """
    return _compiled(pattern).fullmatch(path) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    bare = pattern.removeprefix("./").rstrip("/")
    anywhere = "" if "/" in bare else "(?:.*/)?"
    parts, end = [], 0
    bare = bare.removeprefix("/")
    for token in _TOKEN.finditer(bare):
        parts.append(re.escape(bare[end : token.start()]))
        kind = token.lastgroup or ""
        parts.append(_MEANING.get(kind) or _character_set(token.group()))
        end = token.end()
    return re.compile(f"{anywhere}{''.join(parts)}{re.escape(bare[end:])}(?:/.*)?", re.DOTALL)


def _character_set(text: str) -> str:
    """`[abc]`, `[!a-z]`; what is no set stands for itself."""
    inner = text[1:-1]
    negated = inner.startswith("!")
    characters = inner[negated:].replace("\\", r"\\").replace("^", r"\^").replace("[", r"\[")
    made = f"[{'^' * negated}{characters}]"
    try:
        re.compile(made)
    except re.error:
        return re.escape(text)
    return made
