"""Metrics as manifests had them before dbt 1.6: an aggregate of a column of a model, or an expression over other metrics.

    {"name": "revenue", "calculation_method": "sum", "expression": "amount", "model": "ref('orders')",
     "filters": [{"field": "status", "operator": "=", "value": "'paid'"}], "timestamp": "ordered_at"}

Before dbt 1.3 the method is called `type`, the expression `sql`.
"""

from __future__ import annotations

import re

from headwater.model.diagnostic import Code
from headwater.project.dbt.aggregates import aggregate
from headwater.project.dbt.calls import call_of
from headwater.project.dbt.document import Document, inner, inners, text, texts
from headwater.project.dbt.documented import tags_of
from headwater.project.dbt.reading import Reading
from headwater.project.objects import Expression, Field, Place, Reference

_CALL = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_OVER_METRICS = frozenset({"derived", "expression"})


def is_legacy(metric: Document) -> bool:
    """Whether a metric is written as before dbt 1.6."""
    return "type_params" not in metric and any(key in metric for key in ("calculation_method", "sql", "time_grains"))


def legacy_field(metric: Document, reading: Reading) -> Field:
    """Such a metric."""
    name = text(metric, "name")
    place = reading.places.of_entry(metric, "metrics", name)
    method = (text(metric, "calculation_method") or text(metric, "type")).lower()
    is_derived = method in _OVER_METRICS
    return Field(
        kind="metric",
        name=name,
        expression=_over_metrics(metric, place) if is_derived else _aggregate(metric, method, place, reading),
        place=place,
        model="" if is_derived else _model(metric),
        filters=() if is_derived else tuple(_filters(metric, place)),
        tags=tags_of(metric),
        description=text(metric, "description") or text(metric, "label"),
        of_columns=not is_derived,
    )


def _written(metric: Document) -> str:
    return text(metric, "expression") or text(metric, "sql")


def _aggregate(metric: Document, method: str, place: Place, reading: Reading) -> Expression:
    written = _written(metric)
    sql = aggregate({"agg": method}, "1" if written == "*" else written) if written else None
    if sql is None:
        name = text(metric, "name")
        message = f"the metric {name} has a type that is not known: {method or 'none'}"
        reading.remarks.add(Code.UNSUPPORTED_CONSTRUCT, message, place, subject=name)
    return Expression((sql or "NULL",), place)


def _over_metrics(metric: Document, place: Place) -> Expression:
    """`{{ metric('revenue') }} / {{ metric('orders') }}`."""
    parts: list[str | Reference] = []
    for at, piece in enumerate(_CALL.split(_written(metric))):
        call = call_of(piece) if at % 2 else None
        parts.append(Reference(call.texts[-1]) if call is not None else piece)
    return Expression(tuple(part for part in parts if part), place)


def _model(metric: Document) -> str:
    """The unique id of the model that a metric is counted over."""
    needed = texts(inner(metric, "depends_on"), "nodes")
    return next((unique_id for unique_id in needed if not unique_id.startswith("metric.")), "")


def _filters(metric: Document, place: Place) -> list[Expression]:
    found = (" ".join(text(each, key) for key in ("field", "operator", "value")) for each in inners(metric, "filters"))
    return [Expression((condition,), place) for condition in found if condition.strip()]
