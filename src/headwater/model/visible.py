"""Text that is only looked at: what would steer a terminal, or turn the line around, is shown instead."""

from __future__ import annotations

_CONTROLS = {code: 0x2400 + code for code in range(32)} | {127: 0x2421} | dict.fromkeys(range(128, 160), 0xFFFD)
_DIRECTIONS = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)], 0xFFFD)
_PICTURES = _CONTROLS | _DIRECTIONS


def visible(text: str) -> str:
    r"""The text without what would steer a terminal: control characters and changes of direction are shown, not obeyed.

    >>> visible("a\x1b[31m\n")
    'a␛[31m␊'
    """
    return text if text.isascii() and text.isprintable() else text.translate(_PICTURES)
