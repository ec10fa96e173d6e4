"""Shrinks a text that shows a fault to one that a person can read: delta debugging on its tokens."""

from __future__ import annotations

from collections.abc import Callable

from fuzzing.mutate import Tokens, tokens


def minimised(text: str, still_fails: Callable[[str], bool], tries: int = 600) -> str:
    """The smallest text found within *tries* that still fails; *text* itself if nothing smaller does."""
    words = tokens(text)
    parts = 2
    while len(words) > 1 and tries > 0:
        size = max(1, -(-len(words) // parts))
        shorter: Tokens | None = None
        for start in range(0, len(words), size):
            candidate = words[:start] + words[start + size :]
            tries -= 1
            if still_fails("".join(candidate)):
                shorter = candidate
                break
            if tries <= 0:
                break
        if shorter is not None:
            words, parts = shorter, max(parts - 1, 2)
        elif size == 1:
            break
        else:
            parts = min(parts * 2, len(words))
    return "".join(words).strip()
