"""Filters of metrics: SQL with calls in it that name dimensions, entities and metrics.

{{ Dimension('order__status') }} = 'paid' and {{ TimeDimension('metric_time', 'month') }} >= '2025-01-01'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from headwater.project.dbt.calls import Call, call_of
from headwater.project.dbt.document import Document, inner, inners, text
from headwater.project.objects import Expression, Place, Reference

METRIC_TIME = "metric_time"
"""The name by which every metric's own time dimension goes."""

_CALL = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


Resolve = Callable[[Call], tuple[Reference, ...]]
"""What a call refers to: one thing, or, for the time of a metric over several models, one per model."""


def filters_of(document: Document, key: str = "filter") -> tuple[str, ...]:
    """The conditions of an object, as a manifest (`where_filters`) or a person (a text, a list of texts) writes them."""
    value = document.get(key)
    if isinstance(value, str):
        return (value.strip(),) if value.strip() else ()
    if isinstance(value, list):
        return tuple(item.strip() for item in value if isinstance(item, str) and item.strip())
    written = (text(each, "where_sql_template").strip() for each in inners(inner(document, key), "where_filters"))
    return tuple(condition for condition in written if condition)


def conditions(templates: Iterable[str], resolve: Resolve, place: Place) -> Iterator[Expression]:
    """The expressions of conditions; one that speaks of several things by one name is said of each."""
    for template in templates:
        parts = [_part(piece, at, resolve) for at, piece in enumerate(_CALL.split(template))]
        for turn in range(max(map(len, parts))):
            chosen = (part[min(turn, len(part) - 1)] for part in parts)
            yield Expression(tuple(part for part in chosen if part), place)


def _part(piece: str, at: int, resolve: Resolve) -> tuple[str | Reference, ...]:
    """A piece of a template: every second one is a call."""
    call = call_of(piece) if at % 2 else None
    if call is None:
        return (piece.strip() if at % 2 else piece,)
    return resolve(call) or (call.name,)
