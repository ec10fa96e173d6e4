"""Metrics: fields of the project's own, made of measures and of each other.

Each type has a function below that says what it is worked out from, as SQL with references, and which rows count. An input of a ratio
or a derived metric that has a filter of its own is a metric of its own, `paid_share__numerator`: dbt's names have no two underscores. A
filter of a conversion's input counts for the metric as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from headwater.model.diagnostic import Code
from headwater.project.dbt.calls import Call
from headwater.project.dbt.document import Document, as_document, inner, inners, text
from headwater.project.dbt.documented import tags_of
from headwater.project.dbt.elements import Element, Elements, SemanticModel
from headwater.project.dbt.filters import METRIC_TIME, conditions, filters_of
from headwater.project.dbt.legacy_metrics import is_legacy, legacy_field
from headwater.project.dbt.reading import Reading
from headwater.project.dbt.semantic_models import SECTION, measure_field
from headwater.project.dbt.words import words
from headwater.project.objects import Expression, Field, Place, Reference

Parts = tuple[str | Reference, ...]


@dataclass(frozen=True)
class Metrics:
    """The metrics of a project, with the semantic models that they are made of."""

    elements: Elements
    reading: Reading

    @cached_property
    def _by_name(self) -> Mapping[str, Document]:
        return {text(metric, "name"): metric for metric in self.reading.manifest.metrics}

    def fields(self) -> Iterator[Field]:
        """Every metric; before it the measure that it brings along, if it does, and its inputs that have a filter of their own."""
        for name, metric in self._by_name.items():
            if name and is_legacy(metric):
                yield legacy_field(metric, self.reading)
                continue
            brought = self._own_measure(metric)
            if brought is not None:
                model, measure = brought
                yield measure_field(measure, model, self._place(metric), self.reading)
            if name:
                yield from self._narrowed(metric)
                yield self._field(metric)

    def resolve(self, call: Call, near: Iterable[str]) -> tuple[Reference, ...]:
        """What a call in a filter of the metrics *near* refers to."""
        near = tuple(near)
        if call.function == "metric":
            return (Reference(call.name),)
        if call.name.partition("__")[0] == METRIC_TIME:
            return tuple(dict.fromkeys(time for name in near for time in self.times(name)))
        return (self.elements.dimension(call.name, self._models(near)),)

    def times(self, name: str) -> tuple[Reference, ...]:
        """The time dimensions that a metric is counted by."""
        found = (model.refer(time) for model, measure in self._measures(name) if (time := model.time_of(measure)))
        return tuple(dict.fromkeys(found))

    def _models(self, names: Iterable[str]) -> tuple[SemanticModel, ...]:
        return tuple(model for name in names for model, _ in self._measures(name))

    def _measures(self, name: str) -> list[tuple[SemanticModel, Document]]:
        """The measures that a metric is made of in the end, with their models."""
        found: list[tuple[SemanticModel, Document]] = []
        pending, seen = [name], set[str]()
        while pending:
            metric = self._by_name.get(current := pending.pop())
            if metric is None or current in seen:
                continue
            seen.add(current)
            own = self._own_measure(metric)
            measures = [own] if own else [self.elements.measure(name) for name in _measure_names(metric)]
            found += [(model, measure.document) for model, measure in filter(None, measures)]
            pending += _metric_names(metric)
        return found

    def _own_measure(self, metric: Document) -> tuple[SemanticModel, Element] | None:
        """The measure that a metric is itself: its aggregation, over a semantic model that it names."""
        parameters = inner(metric, "type_params")
        aggregation = inner(parameters, "metric_aggregation_params")
        model = self.elements.model(text(aggregation, "semantic_model"))
        if model is None or as_document(parameters.get("measure")):
            return None
        name = text(metric, "name")
        return model, Element(name, text(parameters, "expr") or text(aggregation, "expr") or name, aggregation)

    def _place(self, metric: Document) -> Place:
        """Where a metric stands: in its own entry, in that of the measure which makes it, or in that of its dbt model."""
        name = text(metric, "name")
        found, own = self.elements.measure(name), self._own_measure(metric)
        otherwise: tuple[str, ...] = (SECTION, found[0].name, "measures", name) if found else ()
        if own is not None:
            otherwise = ("models", own[0].alias, "metrics", name)
        return self.reading.places.of_entry(metric, "metrics", name, otherwise=otherwise)

    def _narrowed(self, metric: Document) -> Iterator[Field]:
        """The inputs of a metric of which some rows count only."""
        place = self._place(metric)
        for role, used in _roles(metric).items():
            name, templates = text(used, "name"), filters_of(used)
            if name and templates:
                yield Field(
                    kind="metric",
                    name=_narrowed_name(metric, role),
                    expression=Expression((Reference(name),), place),
                    place=place,
                    filters=tuple(conditions(templates, partial(self.resolve, near=(name,)), place)),
                )

    def _field(self, metric: Document) -> Field:
        name, place = text(metric, "name"), self._place(metric)
        worked_out = _TYPES.get(text(metric, "type").lower(), _unknown)
        parts, rows = worked_out(metric, self)
        inputs = () if _roles(metric) else _inputs(metric)
        templates = (*filters_of(metric), *(each for used in inputs for each in filters_of(used)))
        written = conditions(templates, lambda call: self.resolve(call, (name,)), place)
        filters = (*written, *(Expression(row, place) for row in rows))
        return Field(
            kind="metric",
            name=name,
            expression=Expression(parts, place),
            place=place,
            filters=tuple(dict.fromkeys(filters)),
            tags=tags_of(metric),
            description=text(metric, "description") or text(metric, "label"),
        )

    def measure_parts(self, used: Document, metric: Document) -> Parts:
        """A measure as an input; what fills its gaps is a part of it."""
        found = self.elements.measure(text(used, "name"))
        if found is None:
            return self._missing(metric, f"the measure {text(used, 'name')}")
        return _filled((found[0].refer(found[1].name),), used)

    def input_parts(self, parameters: Document, measure: str, other: str, metric: Document) -> Parts:
        """An input that is a measure under one key, or a metric under another."""
        used = _input(parameters, measure)
        if text(used, "name"):
            return self.measure_parts(used, metric)
        return self.metric_parts(_input(parameters, other), metric)

    def metric_parts(self, used: Document, metric: Document) -> Parts:
        """Another metric as an input."""
        name = text(used, "name")
        return (Reference(name),) if name else self._missing(metric, "its input")

    def role_parts(self, role: str, metric: Document) -> Parts:
        """The input that has a role in a metric, with its own filter if it has one."""
        used = _roles(metric)[role]
        if text(used, "name") and filters_of(used):
            return (Reference(_narrowed_name(metric, role)),)
        return self.metric_parts(used, metric)

    def own_parts(self, metric: Document) -> Parts:
        """The measure of a simple metric, which may be a part of the metric."""
        parameters = inner(metric, "type_params")
        own = self._own_measure(metric)
        if own is not None:
            return _filled((own[0].refer(own[1].name),), parameters)
        return self.measure_parts(_input(parameters, "measure"), metric)

    def _missing(self, metric: Document, what: str) -> Parts:
        name = text(metric, "name")
        message = f"the metric {name} cannot be worked out: {what.strip()} is not in the project"
        hint = "run `dbt parse`, which checks metrics"
        self.reading.remarks.add(Code.UNKNOWN_REFERENCE, message, self._place(metric), subject=name, hint=hint)
        return ("NULL",)


Rows = list[Parts]
"""Conditions beyond those that were written down."""


def _simple(metric: Document, metrics: Metrics) -> tuple[Parts, Rows]:
    return metrics.own_parts(metric), []


def _ratio(metric: Document, metrics: Metrics) -> tuple[Parts, Rows]:
    return _divided(*(metrics.role_parts(role, metric) for role in _RATIO)), []


def _derived(metric: Document, metrics: Metrics) -> tuple[Parts, Rows]:
    """An expression over metrics, by their names or aliases. An offset in time changes which rows, not which columns."""
    roles = _roles(metric)
    pieces = words(text(inner(metric, "type_params"), "expr") or text(metric, "expr"))
    parts = [metrics.role_parts(piece, metric) if is_name and piece in roles else (piece,) for piece, is_name in pieces]
    return _joined(tuple(each for part in parts for each in part)) or metrics.metric_parts({}, metric), []


def _cumulative(metric: Document, metrics: Metrics) -> tuple[Parts, Rows]:
    """A measure over all rows up to a time."""
    parameters = inner(metric, "type_params")
    if text(_input(parameters, "measure"), "name"):
        parts = metrics.own_parts(metric)
    else:
        parts = metrics.metric_parts(_input(inner(parameters, "cumulative_type_params"), "metric"), metric)
    rows: Rows = [(time, " <= CURRENT_TIMESTAMP") for time in metrics.times(text(metric, "name"))]
    return parts, rows


def _conversion(metric: Document, metrics: Metrics) -> tuple[Parts, Rows]:
    """How many rows of the base are followed by one of the conversion, of the same entity and with the same constant properties."""
    parameters = inner(metric, "type_params", "conversion_type_params")
    base = metrics.input_parts(parameters, "base_measure", "base_metric", metric)
    converted = metrics.input_parts(parameters, "conversion_measure", "conversion_metric", metric)
    counted = text(parameters, "calculation").lower() == "conversions"
    return converted if counted else _divided(converted, base), _followed(parameters, metrics)


def _followed(parameters: Document, metrics: Metrics) -> Rows:
    """What the rows of base and conversion must have in common, and which comes first."""
    before = _owner(parameters, "base", metrics)
    after = _owner(parameters, "conversion", metrics)
    if before is None or after is None:
        return []
    rows: Rows = []
    entity = text(parameters, "entity")
    if entity:
        rows.append((after[0].refer(entity), " = ", before[0].refer(entity)))
    for same in inners(parameters, "constant_properties"):
        first = metrics.elements.dimension(text(same, "base_property"), [before[0]])
        second = metrics.elements.dimension(text(same, "conversion_property"), [after[0]])
        rows.append((second, " = ", first))
    first_time, second_time = before[0].time_of(before[1]), after[0].time_of(after[1])
    if first_time and second_time:
        rows.append((after[0].refer(second_time), " >= ", before[0].refer(first_time)))
    return rows


def _owner(parameters: Document, side: str, metrics: Metrics) -> tuple[SemanticModel, Document] | None:
    """The model and the measure of one side of a conversion."""
    found = metrics.elements.measure(text(_input(parameters, f"{side}_measure"), "name"))
    if found is not None:
        return found[0], found[1].document
    measures = metrics._measures(text(_input(parameters, f"{side}_metric"), "name"))
    return measures[0] if measures else None


def _unknown(metric: Document, metrics: Metrics) -> tuple[Parts, Rows]:
    kind = text(metric, "type") or "none"
    message = f"the metric {text(metric, 'name')} has a type that is not known: {kind}"
    place = metrics.reading.places.of_entry(metric, "metrics", text(metric, "name"))
    metrics.reading.remarks.add(Code.UNSUPPORTED_CONSTRUCT, message, place, subject=text(metric, "name"))
    return ("NULL",), []


_TYPES: Mapping[str, Callable[[Document, Metrics], tuple[Parts, Rows]]] = {
    "simple": _simple,
    "ratio": _ratio,
    "derived": _derived,
    "cumulative": _cumulative,
    "conversion": _conversion,
}


_RATIO = ("numerator", "denominator")


def _roles(metric: Document) -> dict[str, Document]:
    """The inputs of a ratio or a derived metric by what they are called in it; of other types none."""
    parameters = inner(metric, "type_params")
    kind = text(metric, "type").lower()
    if kind == "ratio":
        return {role: _input(parameters, role) for role in _RATIO}
    if kind == "derived":
        return {text(used, "alias") or text(used, "name"): used for used in _listed(parameters)}
    return {}


def _narrowed_name(metric: Document, role: str) -> str:
    return f"{text(metric, 'name')}__{role}"


def _divided(above: Parts, below: Parts) -> Parts:
    return _joined((*above, " / NULLIF(", *below, ", 0)"))


def _filled(parts: Parts, used: Document) -> Parts:
    filler = text(used, "fill_nulls_with")
    return _joined(("COALESCE(", *parts, f", {filler})")) if filler else parts


def _joined(parts: Parts) -> Parts:
    """Parts in which no two texts follow each other."""
    joined: list[str | Reference] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(joined)


def _input(parameters: Document, key: str) -> Document:
    """An input, by name alone or with more said about it."""
    value = parameters.get(key)
    return {"name": value} if isinstance(value, str) else as_document(value)


def _listed(parameters: Document) -> tuple[Document, ...]:
    """The metrics that a derived one names."""
    value = parameters.get("metrics")
    items = value if isinstance(value, list) else []
    return tuple({"name": item} if isinstance(item, str) else as_document(item) for item in items)


def _inputs(metric: Document) -> Iterator[Document]:
    """Everything that a metric takes in, measures and metrics."""
    parameters = inner(metric, "type_params")
    conversion = inner(parameters, "conversion_type_params")
    yield _input(parameters, "measure")
    yield from (_input(conversion, key) for key in ("base_measure", "conversion_measure"))
    yield from _input_metrics(parameters)


def _input_metrics(parameters: Document) -> Iterator[Document]:
    yield from (_input(parameters, key) for key in ("numerator", "denominator"))
    yield _input(inner(parameters, "cumulative_type_params"), "metric")
    conversion = inner(parameters, "conversion_type_params")
    yield from (_input(conversion, key) for key in ("base_metric", "conversion_metric"))
    yield from _listed(parameters)


def _measure_names(metric: Document) -> list[str]:
    metrics = [text(used, "name") for used in _input_metrics(inner(metric, "type_params"))]
    return [name for used in _inputs(metric) if (name := text(used, "name")) and name not in metrics]


def _metric_names(metric: Document) -> list[str]:
    return [name for used in _input_metrics(inner(metric, "type_params")) if (name := text(used, "name"))]
