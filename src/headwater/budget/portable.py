"""A resolution without its syntax nodes, so that it can travel between processes.

`packed` replaces every place by offsets into the script and names function calls; `unpacked` lets the offsets answer what
the nodes would have answered, from the script's redacted text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from headwater.model.kind import KINDS, Kind, code
from headwater.model.resolution import FUNCTIONS, VARIABLES, EntityRow, Resolution
from headwater.model.span import Span
from headwater.sql.redact import Redacted


class Portable(NamedTuple):
    """A resolution fit for travelling; a kind's number is its process's own, so the meanings come along."""

    resolution: Resolution
    kinds: list[Kind]


class Place(NamedTuple):
    """Where a column is made: its span, its expression's span, and the expression's text where that is not what stands there."""

    span: Span | None
    expression: Span | None
    text: str


_MADE_UP = Place(None, None, "")
"""A place that is nowhere in the text, which is something else than no place at all."""


def packed(resolution: Resolution, text: Redacted) -> Portable:
    """A resolution, fit for travelling; *text* is what its offsets count in."""
    locate = resolution.locate
    columns: list[Any] = [None] * len(resolution.columns)
    for i in range(
        len(columns) - 1, -1, -1
    ):  # the inside of an expression comes last, and is the quicker to find first
        entity, name, place = resolution.columns[i]
        if entity == FUNCTIONS and not name:
            name = resolution.function_name(place)
        packed_place = None if place is None else _place(resolution, place, text)
        if entity == VARIABLES and packed_place is not None and packed_place.expression is None:
            packed_place = packed_place._replace(text=resolution.function_name(place))
        columns[i] = (entity, name, packed_place)
    for entity_row in resolution.entities:
        _relocate(entity_row, locate)
    portable = resolution._replace(
        columns=columns,
        edges=[
            (target, source, kind, None if place is None else locate(place) or _MADE_UP)
            for target, source, kind, place in resolution.edges
        ],
        values=tuple(
            (target, source, kind, None if place is None else locate(place))
            for target, source, kind, place in resolution.values
        ),
        defines=tuple(d._replace(columns=None if d.columns is None else dict(d.columns)) for d in resolution.defines),
        locate=_span,
        expression=_nothing,
        function_name=_no_name,
    )
    return Portable(portable, list(KINDS))


def unpacked(portable: Portable, text: Redacted) -> Resolution:
    """A resolution that has travelled, over the script's text."""
    codes = [code(kind) for kind in portable.kinds]

    def expression(place: Any) -> tuple[str, Span | None]:
        if not isinstance(place, Place):
            return "", None
        return place.text or (text.slice(*place.expression) if place.expression else ""), place.expression

    made = portable.resolution
    edges = [(target, source, codes[kind], place) for target, source, kind, place in made.edges]
    values = tuple((target, source, codes[kind], place) for target, source, kind, place in made.values)
    return made._replace(edges=edges, values=values, expression=expression)


def _span(place: Any) -> Span | None:
    return place.span if isinstance(place, Place) else place


def _nothing(place: Any) -> tuple[str, Span | None]:
    return "", None


def _no_name(place: Any) -> str:
    return ""


def _place(resolution: Resolution, place: Any, text: Redacted) -> Place:
    said, span = resolution.expression(place)
    if not said:
        return Place(resolution.locate(place), None, "")
    return Place(resolution.locate(place), span, "" if span is not None and text.slice(*span) == said else said)


def _relocate(row: EntityRow, locate: Callable[[Any], Span | None]) -> None:
    row.place = locate(row.place)
    row.places = tuple(locate(place) for place in row.places)
