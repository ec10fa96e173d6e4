"""Where a text occurs in very many names.

These lie one behind the other in an array of bytes, which are compared one by one, the rarest first, so that few places remain to be
looked at. In 180,000 names that takes a third of what comparing name by name takes, and tells where words begin.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from headwater.graph.adjacency import Ints

_SIGNS = np.array([at < 128 and not chr(at).isalnum() for at in range(256)], dtype=bool)
"""Bytes behind which a word begins."""


class Occurrences(NamedTuple):
    """Names that have a text in them, by number, and of each whether it stands there where a word begins."""

    numbers: Ints
    at_word: Ints


class Names:
    """Names, as one array of bytes."""

    def __init__(self, names: pa.Array) -> None:
        _, offsets, content = pa.concat_arrays([names]).buffers()
        self._starts = np.frombuffer(offsets, np.int32)[: len(names) + 1]
        size = int(self._starts[-1]) if len(names) else 0
        self._bytes = np.frombuffer(content, np.uint8)[:size] if content is not None else np.empty(0, np.uint8)
        self._counts = np.bincount(self._bytes, minlength=256)

    @cached_property
    def _owners(self) -> Ints:
        """Whose name each byte is in."""
        return np.repeat(np.arange(len(self._starts) - 1, dtype=np.int32), np.diff(self._starts))

    def with_text(self, text: str) -> Occurrences:
        """The names that a text is in."""
        wanted = np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
        last = len(self._bytes) - len(wanted)
        if not wanted.size or last < 0:
            return Occurrences(np.empty(0, np.int64), np.empty(0, dtype=bool))
        rare, *others = np.argsort(self._counts[wanted], kind="stable").tolist()
        at = np.flatnonzero(self._bytes[rare : last + rare + 1] == wanted[rare])
        for other in others:
            at = at[self._bytes[at + other] == wanted[other]]
        number = self._owners[at]
        within = at + len(wanted) <= self._starts[number + 1]
        at, number = at[within], number[within]
        begins = (at == self._starts[number]) | _SIGNS[self._bytes[np.maximum(at - 1, 0)]]
        first = np.flatnonzero(np.diff(number, prepend=-1))
        return Occurrences(number[first], np.logical_or.reduceat(begins, first) if len(first) else begins)
