"""Numbers that stand for places: `GROUP BY 2`, `ORDER BY 1`, `$3`, `stack(2, …)`."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

_DIGITS = 9


def position(node: Any) -> int | None:
    """The number that a literal spells; None if it is something else, or larger than any list."""
    if not isinstance(node, exp.Literal):
        return None
    digits = node.name
    return int(digits) if len(digits) <= _DIGITS and digits.isascii() and digits.isdigit() else None
