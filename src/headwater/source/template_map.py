"""`TemplateMap`: where the text that a template makes stands in the template.

In comes an offset of the rendered text, out comes an offset of the template, with its line and column. Text that the template has
verbatim has a place of its own, character by character. Text that an expression or a block makes has the place of this expression or block.

    template   select {{ column }} as x      rendered   select amount as x
               |      |             |                   |      |      |
               verbatim, made, verbatim                 0      7      13
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import NamedTuple

from headwater.model.span import LineIndex, Position, Span

NOWHERE = -1
"""In the place of an offset: nobody knows where the text comes from, or it was added to what the template makes."""


class Stretch(NamedTuple):
    """A stretch of a template."""

    span: Span
    made: bool
    """Whether its first character is not the text itself, but the expression or block that makes it."""


class Segment(NamedTuple):
    """Rendered text up to the next segment: copied from an offset of the template, or made by so many characters there."""

    rendered: int
    template: int
    length: int = 0
    """Of the expression or block that makes the text; 0 for text that stands there verbatim."""


@dataclass(frozen=True, slots=True)
class TemplateMap:
    """A map from rendered text to its template, in numbers that are easily handed on."""

    segments: tuple[Segment, ...]
    """In order of the rendered text; what stands before the first of them has no place."""
    size: int
    """How long the rendered text is."""
    lines: tuple[int, ...]
    """The offsets at which the template's lines begin."""

    def stretch(self, span: Span) -> Stretch | None:
        """Where some rendered text comes from: all of the template from its first place to its last; None if it comes from nowhere."""
        parts = [part for part in self._parts(span) if part[0].template != NOWHERE]
        if not parts:
            return None
        places = [_place(*part) for part in parts]
        start, end = min(place.start for place in places), max(place.end for place in places)
        return Stretch(Span(start, end), parts[0][0].length > 0)

    def is_verbatim(self, offset: int) -> bool:
        """Whether the character at an offset of the rendered text stands in the template."""
        return any(segment.template != NOWHERE and not segment.length for segment, _, _ in self._parts(_one(offset)))

    def position(self, offset: int) -> Position:
        """Line and column of an offset of the template."""
        return LineIndex.of_starts(self.lines).position(offset)

    def part(self, start: int, end: int) -> TemplateMap:
        """The map of a part of the rendered text."""
        found = tuple(
            Segment(
                max(segment.rendered, start) - start, _moved(segment, max(start - segment.rendered, 0)), segment.length
            )
            for segment, _, _ in self._parts(Span(start, end))
        )
        return replace(self, segments=found, size=max(end - start, 0))

    def within(self, before: int, after: int = 0) -> TemplateMap:
        """The map of a longer text: so many characters are put before the rendered text, and so many behind it."""
        found = [segment._replace(rendered=segment.rendered + before) for segment in self.segments]
        behind = [Segment(before + self.size, NOWHERE)] if after else []
        return replace(self, segments=(*found, *behind), size=before + self.size + after)

    def replaced(self, start: int, end: int, size: int) -> TemplateMap:
        """The map of a text in which something else, of that size, stands between two offsets."""
        before, behind = self.part(0, start), self.part(end, self.size)
        moved = (segment._replace(rendered=segment.rendered + start + size) for segment in behind.segments)
        other = (Segment(start, NOWHERE),) if size else ()
        return replace(self, segments=(*before.segments, *other, *moved), size=start + size + behind.size)

    def respelled(self, changes: Iterable[tuple[int, int, int]]) -> TemplateMap:
        """The map of a text in which stretches are spelled in another way: from where to where, in order, and how long they are then."""
        found: list[Segment] = []
        at = size = 0
        for start, end, length in (*changes, (self.size, self.size, 0)):
            found += [segment._replace(rendered=segment.rendered + size) for segment in self.part(at, start).segments]
            size += start - at
            place = self.stretch(Span(start, end))
            if length and place is not None:
                found.append(Segment(size, place.span.start, place.span.end - place.span.start))
            elif length:
                found.append(Segment(size, NOWHERE))
            size, at = size + length, end
        return replace(self, segments=tuple(found), size=size)

    def standing_in(self, text: str, offset: int) -> TemplateMap:
        """The map to a text that has the template at an offset."""
        found = tuple(
            segment if segment.template == NOWHERE else segment._replace(template=segment.template + offset)
            for segment in self.segments
        )
        return TemplateMap(found, self.size, line_starts(text))

    def numbers(self) -> list[list[int]]:
        """All of it as lists of small numbers."""
        flat = [number for segment in self.segments for number in segment]
        return [[self.size], flat, [behind - start for start, behind in pairwise(self.lines)]]

    @staticmethod
    def of_numbers(numbers: Sequence[Sequence[int]]) -> TemplateMap:
        """The map that `numbers` tells."""
        (size,), flat, lengths = numbers
        segments = tuple(Segment(*flat[at : at + 3]) for at in range(0, len(flat), 3))
        return TemplateMap(segments, size, tuple(accumulate(lengths, initial=0)))

    def _parts(self, span: Span) -> Iterator[tuple[Segment, int, int]]:
        """The segments that a span of the rendered text touches, each with the stretch of rendered text that it has of it."""
        at = max(bisect_right(self.segments, span.start, key=lambda segment: segment.rendered) - 1, 0)
        while at < len(self.segments) and self.segments[at].rendered < span.end:
            segment = self.segments[at]
            at += 1
            behind = self.segments[at].rendered if at < len(self.segments) else self.size
            start, end = max(span.start, segment.rendered), min(span.end, behind)
            if start < end:
                yield segment, start, end


def template_map(pieces: Iterable[Segment], size: int, template: str) -> TemplateMap:
    """The map of a rendered text of that size; pieces that go on where another ends become one."""
    found: list[Segment] = []
    for piece in pieces:
        last = found[-1] if found else None
        if last is not None and last.rendered == piece.rendered:
            found.pop()
            last = found[-1] if found else None
        if last is None or not _goes_on(last, piece):
            found.append(piece)
    return TemplateMap(tuple(found), size, line_starts(template))


def line_starts(text: str) -> tuple[int, ...]:
    """The offsets at which the lines of a text begin."""
    return tuple(LineIndex(text).starts)


def _goes_on(last: Segment, piece: Segment) -> bool:
    if last.length or piece.length:
        return False
    return piece.template - last.template == piece.rendered - last.rendered


def _place(segment: Segment, start: int, end: int) -> Span:
    if segment.length:
        return Span(segment.template, segment.template + segment.length)
    moved = segment.template - segment.rendered
    return Span(start + moved, end + moved)


def _moved(segment: Segment, by: int) -> int:
    return segment.template if segment.length or segment.template == NOWHERE else segment.template + by


def _one(offset: int) -> Span:
    return Span(offset, offset + 1)
