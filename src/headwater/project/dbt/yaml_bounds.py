"""Bounds for YAML: how deep it may nest, and how much it may be once its aliases are written out.

Both are checked before anything is made of it: the parser written in C ends the process when it nests too deeply, and a few lines of merges
can stand for a billion values.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_DEEPEST = 200
_MOST = 1_000_000


class TooMuch(ValueError):
    """YAML that nobody writes by hand; the message says what is too much."""


def check_depth(events: Iterable[Any]) -> None:
    """Refuse what nests too deeply; the parser's events come without recursion."""
    depth = 0
    for event in events:
        kind = type(event).__name__
        depth += kind.endswith("StartEvent") - kind.endswith("EndEvent")
        if depth > _DEEPEST:
            raise TooMuch(f"values are nested more than {_DEEPEST} deep")


def check_size(tree: Any) -> None:
    """Refuse what has too many values, counted as often as they stand for themselves or by an alias."""
    if tree is not None:
        _size(tree, {})


def _size(node: Any, known: dict[int, int]) -> int:
    if node.id == "scalar":
        return 1
    if id(node) in known:
        return known[id(node)]
    known[id(node)] = _MOST + 1
    below = node.value if node.id == "sequence" else [part for pair in node.value for part in pair]
    size = 1
    for each in below:
        size += _size(each, known)
        if size > _MOST:
            raise TooMuch(f"there are more than {_MOST:,} values in it, by aliases perhaps")
    known[id(node)] = size
    return size
