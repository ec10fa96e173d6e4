"""Text of the user's that is shown in a picture: what cannot be seen is made visible, what is too long is cut."""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)
"""Control characters, what turns the direction of writing, and halves of characters."""


def visible(text: str, longest: int | None = None) -> str:
    r"""A name or expression on one line, with a sign for each character that cannot be seen.

    >>> visible("a\nb\x00")
    'a␊b␀'
    >>> visible("abcdef", 4)
    'abc…'
    """
    if longest is not None and len(text) > longest:
        text = text[: longest - 1] + "…"
    return _UNSEEN.sub(_sign, text)


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else "\ufffd"
