"""The source lines of a span with carets under it.

Comes in: a lineage and a span. Goes out: lines with a gutter, such as

      |
    5 | SELECT order_id, custmer_id
      |                  ^^^^^^^^^^

All text is `Lineage.excerpt`'s, which holds no secrets. A long line is cut around the place; of a long span the first lines
and the last one are shown. Where a terminal may reorder a line because it runs from right to left, carets would point at the wrong
characters: there the place is told in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import click

from headwater.cli.cells import expanded, head, is_right_to_left, tail, width
from headwater.lineage.lineage import Lineage
from headwater.model.span import Span

_WIDTH = 100
"""Cells of a source line that are shown."""
_REACH = 4 * _WIDTH
"""Characters to each side of a place that are looked at: a line may have millions."""
_WHOLE = 3
"""Lines of a span that are all shown; of more, the first two and the last."""


class _Pieces(NamedTuple):
    """A source line: what stands before the span, in it, and behind it."""

    before: str
    inside: str
    after: str


def gutter(lineage: Lineage, span: Span | None) -> str:
    """The empty gutter beside an excerpt: as wide as the greatest line number in it."""
    return " " * (len(str(_numbers(lineage, span)[-1])) if span and _is_shown(lineage, span) else 1)


def excerpt_lines(lineage: Lineage, span: Span | None, colour: str) -> Iterator[str]:
    """The lines of a span, marked in a colour; none for a place without extent or text."""
    if span is None or not _is_shown(lineage, span):
        return
    numbers = _numbers(lineage, span)
    margin = len(str(numbers[-1]))
    bar = click.style("|", fg="blue")
    yield f"{'':{margin}} {bar}"
    previous = numbers[0] - 1
    for number in numbers:
        if number > previous + 1:
            yield click.style("…", fg="blue")
        previous = number
        pieces = _fitted(_pieces(lineage, span, number))
        label = click.style(f"{number:>{margin}}", fg="blue")
        yield f"{label} {bar} {''.join(pieces)}".rstrip()
        marks = _marks(lineage, span, pieces, number == numbers[0])
        if marks.strip():
            indent = len(marks) - len(marks.lstrip())
            yield f"{'':{margin}} {bar} {marks[:indent]}{click.style(marks[indent:], fg=colour, bold=True)}"


def _is_shown(lineage: Lineage, span: Span) -> bool:
    return span.end > span.start and bool(lineage.excerpt(span.start, span.start + 1))


def _numbers(lineage: Lineage, span: Span) -> list[int]:
    """The lines that are shown of a span."""
    first, last = (p.line for p in lineage.positions(Span(span.start, span.end - 1)))
    if last - first < _WHOLE:
        return list(range(first, last + 1))
    return [first, first + 1, last]


def _pieces(lineage: Lineage, span: Span, number: int) -> _Pieces:
    """The part of the span in a line, and what is around it; a span that began above begins with the line's first word."""
    line = lineage.line(number)
    start, end = max(span.start, line.start), min(span.end, line.end)
    if start == line.start and span.start < start:
        leading = lineage.excerpt(start, min(end, start + _REACH))
        start += len(leading) - len(leading.lstrip())
    before = lineage.excerpt(max(line.start, start - _REACH), start)
    inside = lineage.excerpt(start, min(end, start + _REACH))
    after = lineage.excerpt(end, min(line.end, end + _REACH)) if end - start <= _REACH else "…"
    if start - _REACH > line.start:
        before = "…" + before
    return _Pieces(before.rstrip("\r\n"), inside.rstrip("\r\n"), after.rstrip("\r\n"))


def _fitted(pieces: _Pieces) -> _Pieces:
    """The pieces as they are shown, cut to the width: the span first, then what is before it, then what is behind."""
    before = expanded(pieces.before)
    inside = expanded(pieces.inside, width(before))
    after = expanded(pieces.after, width(before) + width(inside))
    if width(before) + width(inside) + width(after) <= _WIDTH:
        return _Pieces(before, inside, after)
    inside = head(inside, _WIDTH * 3 // 4)
    room = _WIDTH - width(inside)
    before = tail(before, max(room * 2 // 3, room - width(after)))
    return _Pieces(before, inside, head(after, room - width(before)))


def _marks(lineage: Lineage, span: Span, pieces: _Pieces, first: bool) -> str:
    """The line below a source line."""
    if any(map(is_right_to_left, pieces)):
        column = f" column {lineage.positions(span)[0].column}:" if first else ""
        return f"^{column} {pieces.inside}"
    return " " * width(pieces.before) + "^" * width(pieces.inside.rstrip())
