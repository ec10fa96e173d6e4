"""Comments that begin with another one, `/*/* a */ b */`: the tokenizer overlooks the inner beginning and ends at the first `*/`.

In comes a text, out comes one of the same length, in which such comments are blank.
"""

from __future__ import annotations

import re

_SIGN = "/*/*"
_STANDARD = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`|--[^\n]*|/\*""")
_ESCAPED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|--[^\n]*|/\*""", re.DOTALL)
_EDGE = re.compile(r"/\*|\*/")
_VISIBLE = re.compile(r"\S")


def may_nest_at_once(text: str) -> bool:
    """Whether a text may have such a comment."""
    return _SIGN in text


def without_nested(text: str, escapes: bool) -> str:
    """The text with such comments blank; *escapes* tells that a backslash keeps a quote from ending a string."""
    at = 0
    while (found := (_ESCAPED if escapes else _STANDARD).search(text, at)) is not None:
        at = found.end()
        if found[0] != "/*":
            continue
        end = _end(text, found.start())
        if text.startswith(_SIGN, found.start()) and end:
            text = f"{text[:at]}{_VISIBLE.sub(' ', text[at : end - 2])}{text[end - 2 :]}"
        at = end or len(text)
    return text


def _end(text: str, start: int) -> int:
    """Behind the end of a comment and all that are in it; 0 if it is not closed."""
    depth = 0
    for edge in _EDGE.finditer(text, start):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    return 0
