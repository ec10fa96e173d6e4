"""Saved queries: metrics by dimensions, as somebody asks for them again and again."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.project.dbt.calls import Call, call_of
from headwater.project.dbt.document import Document, inner, text, texts
from headwater.project.dbt.documented import tags_of
from headwater.project.dbt.filters import conditions, filters_of
from headwater.project.dbt.metrics import Metrics
from headwater.project.objects import Expression, Place, Presentation, Property, Reference


def read_saved_queries(metrics: Metrics) -> Iterator[Presentation]:
    """The project's saved queries; each metric and each dimension that it groups by is a property."""
    for node in metrics.reading.manifest.saved_queries:
        yield _saved_query(node, metrics)


def _saved_query(node: Document, metrics: Metrics) -> Presentation:
    name = text(node, "name")
    place = metrics.reading.places.of_entry(node, "saved_queries", name)
    asked = inner(node, "query_params")
    shown = texts(asked, "metrics")
    return Presentation(
        kind="exposure",
        word="saved_query",
        name=name,
        place=place,
        properties=(
            *(Property(metric, Expression((Reference(metric),), place)) for metric in shown),
            *(one for by in texts(asked, "group_by") for one in _grouped(by, shown, metrics, place)),
        ),
        filters=tuple(conditions(filters_of(asked, "where"), lambda call: metrics.resolve(call, shown), place)),
        sorts=tuple(one.expression for by in texts(asked, "order_by") for one in _grouped(by, shown, metrics, place)),
        tags=tags_of(node),
    )


def _grouped(written: str, shown: tuple[str, ...], metrics: Metrics, place: Place) -> Iterator[Property]:
    """What is meant by `TimeDimension('metric_time', 'month')`, `Dimension('customer__region')`, `-revenue` or a bare name."""
    bare = written.strip().removeprefix("-")
    call = call_of(bare) or Call("metric" if bare in shown else "dimension", (bare,))
    found = metrics.resolve(call, shown)
    for reference in found:
        name = call.name if len(found) == 1 else f"{call.name}.{reference.field}"
        yield Property(name, Expression((reference,), place))
