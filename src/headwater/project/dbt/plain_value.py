"""What the text of a rendered setting is: YAML reads it before templates are rendered, so it is a text at first."""

from __future__ import annotations

import re


def plain_value(text: str) -> object:
    """What a rendered setting is: truth values and whole numbers as such.

    >>> plain_value("True"), plain_value("3"), plain_value("x")
    (True, 3, 'x')
    """
    lowered = text.strip().lower()
    if lowered in ("true", "false"):
        return lowered == "true"
    if lowered in ("none", "null", ""):
        return None
    return int(text) if re.fullmatch(r"-?\d{1,18}", text.strip()) else text
