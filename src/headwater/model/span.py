"""Places in a script: character offsets, and their lines and columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of a script, by character offsets; the end is exclusive."""

    start: int
    end: int


class Position(NamedTuple):
    """A line and a column, both counted from 1."""

    line: int
    column: int

    def moved(self, at: Position) -> Position:
        """The same position of a text that itself begins at a position of another."""
        if self.line == 1:
            return Position(at.line, at.column + self.column - 1)
        return Position(at.line + self.line - 1, self.column)

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


BEGINNING = Position(1, 1)


class LineIndex:
    """Turns character offsets of one text into lines and columns."""

    __slots__ = ("_end", "_starts")

    def __init__(self, text: str) -> None:
        self._starts = [0]
        self._end = len(text)
        offset = text.find("\n")
        while offset >= 0:
            self._starts.append(offset + 1)
            offset = text.find("\n", offset + 1)

    @classmethod
    def of_starts(cls, starts: Sequence[int], end: int | None = None) -> LineIndex:
        """The index of a text of which only the offsets are known at which its lines begin, and perhaps its end."""
        made = cls("")
        made._starts = list(starts)
        made._end = made._starts[-1] if end is None else end
        return made

    @property
    def starts(self) -> Sequence[int]:
        """The offsets at which lines begin."""
        return self._starts

    def position(self, offset: int) -> Position:
        """The line and column of a character offset."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def line(self, number: int) -> Span:
        """The stretch of a line, counted from 1, with what ends it."""
        end = self._starts[number] if number < len(self._starts) else self._end
        return Span(self._starts[number - 1], end)
