"""Lists: what stands between commas."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token

from headwater.sql.reading.reading import is_string, word

_ANGLED = frozenset({"STRUCT", "ARRAY", "MAP", "RANGE"})


def comma_separated(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """The parts between the commas outside of brackets, and of the angles of `STRUCT<a INT64, b STRING>`."""
    parts: list[Sequence[Token]] = []
    depth = start = angles = 0
    for i, token in enumerate(tokens):
        if token.text == "<" and i and (angles or word(tokens[i - 1]) in _ANGLED):
            angles += 1
        elif angles and token.text in (">", ">>") and not is_string(token):
            angles = max(angles - len(token.text), 0)
        depth += (token.text in "([{") - (token.text in ")]}") if len(token.text) == 1 and not is_string(token) else 0
        if token.text == "," and depth == 0 and not angles and not is_string(token):
            parts.append(tokens[start:i])
            start = i + 1
    parts.append(tokens[start:])
    return [part for part in parts if part]
