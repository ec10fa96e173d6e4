"""`parse_json`: JSON of any origin, no deeper than code that walks it can go."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

MAX_DEPTH = 200
"""Levels of lists and objects in a document."""


class TooDeep(ValueError):
    """A document that is nested too deeply."""

    def __init__(self) -> None:
        super().__init__(f"it is nested more than {MAX_DEPTH} deep")


def parse_json(text: str | bytes, object_hook: Callable[[dict[str, Any]], Any] | None = None) -> Any:
    """The value of a JSON text; a `ValueError` if it is none, or nested too deeply.

    >>> parse_json('{"a": [1]}')
    {'a': [1]}
    """
    try:
        value = json.loads(text, object_hook=object_hook)
    except RecursionError:
        raise TooDeep from None
    check_depth(value)
    return value


def check_depth(value: Any) -> None:
    """Raise `TooDeep` for a value that holds too many levels."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for each in level
            if isinstance(each, (dict, list))
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return
    raise TooDeep
