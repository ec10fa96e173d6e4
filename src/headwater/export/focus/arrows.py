"""Arrows between columns, by their ids alone: packed numbers, so that the relations of a large feed fit into memory."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator


class Arrows:
    """Pairs of ids with a number each, looked up by the first id."""

    def __init__(self, arrows: Iterable[tuple[int, int, int]] = ()) -> None:
        starts, ends, numbers = array("q"), array("q"), array("q")
        for start, end, number in arrows:
            starts.append(start)
            ends.append(end)
            numbers.append(number)
        order = sorted(range(len(starts)), key=starts.__getitem__)
        self._from, self._to, self._of = (array("q", map(each.__getitem__, order)) for each in (starts, ends, numbers))

    def turned(self) -> Arrows:
        """The same arrows, the other way round."""
        return Arrows(zip(self._to, self._from, self._of, strict=True))

    def of(self, id: int) -> Iterator[tuple[int, int]]:
        """Where the arrows from an id lead, and their numbers."""
        at = bisect_left(self._from, id)
        while at < len(self._from) and self._from[at] == id:
            yield self._to[at], self._of[at]
            at += 1

    def knows(self, id: int) -> bool:
        """Whether an arrow leads from an id."""
        at = bisect_left(self._from, id)
        return at < len(self._from) and self._from[at] == id
