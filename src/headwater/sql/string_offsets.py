"""Where the characters of a string's value stand in the string as it is written."""

from __future__ import annotations


def string_offsets(text: str, raw: str) -> list[int]:
    """For each character of a string's text its offset in the string as written, quotes, tags and escapes taken into account."""
    begin = raw.find(text)
    if begin >= 0:
        return list(range(begin, begin + len(text)))
    found: list[int] = []
    at = 1
    for character in text:
        while at < len(raw) and raw[at] != character:
            at += 1
        found.append(min(at, max(len(raw) - 1, 0)))
        at += 2 if raw[at : at + 2] in ("''", '""') else 1
    return found
