"""A resolution without its syntax nodes, so that it can travel between processes.

`packed` replaces every place by offsets into the script and names function calls; `unpacked` lets the offsets answer what
the nodes would have answered, from the script's redacted text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from headwater.model.diagnostic import Diagnostic
from headwater.model.kind import KINDS, Kind, code
from headwater.model.relation import Process
from headwater.model.resolution import FUNCTIONS, EntityRow, Resolution
from headwater.model.span import Span
from headwater.sql.redact import Redacted


class Portable(NamedTuple):
    """A resolution fit for travelling; a kind's number is its process's own, so the meanings come along."""

    resolution: Resolution
    kinds: list[Kind]


class Place(NamedTuple):
    """Where a column is made: its span, and the text of its expression, by its span or (if it has none) as it is."""

    span: Span | None
    expression: Span | None
    text: str


_MADE_UP = Place(None, None, "")
"""A place that is nowhere in the text, which is something else than no place at all."""


def packed(resolution: Resolution, offset: int) -> Portable:
    """The resolution of a part of a script that begins at *offset*, fit for travelling."""
    locate = _shifting(resolution.locate, offset)
    columns: list[Any] = [None] * len(resolution.columns)
    for i in range(
        len(columns) - 1, -1, -1
    ):  # the inside of an expression comes last, and is the quicker to find first
        entity, name, place = resolution.columns[i]
        if entity == FUNCTIONS and not name:
            name = resolution.function_name(place)
        columns[i] = (entity, name, None if place is None else _place(resolution, place, locate, offset))
    for entity_row in resolution.entities:
        _relocate(entity_row, locate)
    portable = resolution._replace(
        process=_process(resolution, offset),
        columns=columns,
        edges=[
            (target, source, kind, place if place is None else locate(place) or _MADE_UP)
            for target, source, kind, place in resolution.edges
        ],
        diagnostics=[_moved(d, offset) for d in resolution.diagnostics],
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
        return (text.slice(*place.expression) if place.expression else place.text), place.expression

    edges = [(target, source, codes[kind], place) for target, source, kind, place in portable.resolution.edges]
    return portable.resolution._replace(edges=edges, expression=expression)


def _span(place: Any) -> Span | None:
    return place.span if isinstance(place, Place) else place


def _nothing(place: Any) -> tuple[str, Span | None]:
    return "", None


def _no_name(place: Any) -> str:
    return ""


Locate = Callable[[Any], Span | None]


def _shifting(locate: Locate, offset: int) -> Locate:
    def shifted(place: Any) -> Span | None:
        return None if place is None else _shift(locate(place), offset)

    return shifted


def _shift(span: Span | None, offset: int) -> Span | None:
    return None if span is None else Span(span.start + offset, span.end + offset)


def _place(resolution: Resolution, place: Any, locate: Locate, offset: int) -> Place:
    text, span = resolution.expression(place)
    return Place(locate(place), _shift(span, offset), "" if span else text)


def _relocate(row: EntityRow, locate: Locate) -> None:
    row.place = locate(row.place)


def _process(resolution: Resolution, offset: int) -> Process:
    span = resolution.process.span
    return replace(resolution.process, span=Span(span.start + offset, span.end + offset))


def _moved(diagnostic: Diagnostic, offset: int) -> Diagnostic:
    return replace(diagnostic, span=_shift(diagnostic.span, offset))
