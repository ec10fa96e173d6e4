"""Semantic models as dbt writes them down: entities, dimensions, measures; and who has which of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from headwater.project.dbt.document import Document, inner, inners, text
from headwater.project.objects import Reference

GRAINS = frozenset(
    {
        *("nanosecond", "microsecond", "millisecond", "second", "minute", "hour"),
        *("day", "week", "month", "quarter", "year"),
    }
)
_UNIQUE = frozenset({"primary", "unique", "natural"})


@dataclass(frozen=True, slots=True)
class Element:
    """An entity, a dimension or a measure: its name, the SQL behind it, and everything else that is said about it."""

    name: str
    sql: str
    document: Document = field(compare=False, repr=False)

    @property
    def kind(self) -> str:
        """`primary`, `foreign`, … of an entity; `categorical` or `time` of a dimension."""
        return text(self.document, "type").lower()


@dataclass(frozen=True, slots=True)
class SemanticModel:
    """A semantic model over one dbt model."""

    name: str
    relation: str
    """The table, as SQL writes it."""
    entities: tuple[Element, ...]
    dimensions: tuple[Element, ...]
    measures: tuple[Element, ...]
    document: Document = field(compare=False, repr=False)

    @property
    def alias(self) -> str:
        """The name of the table alone, which is that of the dbt model as a rule."""
        return text(inner(self.document, "node_relation"), "alias")

    def refer(self, name: str) -> Reference:
        """A reference to one of its elements."""
        return Reference(self.name, name)

    def column(self, entity: str) -> Reference:
        """The column behind an entity; the entity itself, if it is more than a column."""
        found = self.entity(entity)
        return self.refer(found.sql if found is not None and found.sql.isidentifier() else entity)

    def has(self, name: str) -> bool:
        """Whether one can ask it for a dimension or an entity."""
        return any(element.name == name for element in (*self.dimensions, *self.entities))

    def entity(self, name: str) -> Element | None:
        """Its entity of a name."""
        return next((entity for entity in self.entities if entity.name == name), None)

    def leads(self, entity: str) -> bool:
        """Whether there is at most one of its rows for each value of an entity."""
        found = self.entity(entity)
        return text(self.document, "primary_entity") == entity or (found is not None and found.kind in _UNIQUE)

    def time_of(self, measure: Document) -> str:
        """The time dimension that a measure is counted by."""
        return text(measure, "agg_time_dimension") or text(inner(self.document, "defaults"), "agg_time_dimension")


def semantic_model(document: Document) -> SemanticModel:
    """A semantic model of a manifest."""
    return SemanticModel(
        text(document, "name"),
        text(inner(document, "node_relation"), "relation_name"),
        _elements(document, "entities"),
        _elements(document, "dimensions"),
        _elements(document, "measures"),
        document,
    )


def _elements(document: Document, section: str) -> tuple[Element, ...]:
    """The elements of a section; one without SQL of its own is the column of its name."""
    named = (item for item in inners(document, section) if text(item, "name"))
    return tuple(Element(text(item, "name"), text(item, "expr") or text(item, "name"), item) for item in named)


@dataclass(frozen=True, slots=True)
class Elements:
    """All semantic models of a project, asked by the names that metrics use."""

    models: tuple[SemanticModel, ...]

    def model(self, name: str) -> SemanticModel | None:
        """The semantic model of a name."""
        return next((model for model in self.models if model.name == name), None)

    def measure(self, name: str) -> tuple[SemanticModel, Element] | None:
        """A measure and the model that has it: dbt's measures have names of their own over the whole project."""
        found = ((model, m) for model in self.models for m in model.measures if m.name == name)
        return next(found, None)

    def dimension(self, path: str, near: Iterable[SemanticModel] = ()) -> Reference:
        """What a filter means by `order__status`, `customer__country__region` or `order__ordered_at__month`.

        The last name is a dimension or an entity, the one before it the entity that leads to its model. Of several models that would do,
        one that has a single row per value of the entity is meant, then one of those *near*. What nobody has stays as it was written.
        """
        names = [name for name in path.split("__") if name]
        if len(names) > 1 and names[-1].lower() in GRAINS:
            names.pop()
        name, entity = (names or [path])[-1], names[-2] if len(names) > 1 else ""
        near = tuple(near)
        candidates = [model for model in self.models if model.has(name)]
        best = min(candidates, key=lambda model: self._distance(model, entity, near), default=None)
        return Reference(entity, name) if best is None else best.refer(name)

    @staticmethod
    def _distance(model: SemanticModel, entity: str, near: tuple[SemanticModel, ...]) -> tuple[bool, bool, bool]:
        leads = bool(entity) and model.leads(entity)
        knows = not entity or model.entity(entity) is not None
        return not leads, not knows, model not in near

    def pairs(self) -> Iterator[tuple[str, SemanticModel, SemanticModel]]:
        """Models that an entity joins: its name, the model with many rows per value or any number, the one with one row."""
        for at, one in enumerate(self.models):
            for entity in one.entities:
                if one.leads(entity.name):
                    yield from ((entity.name, other, one) for other in self._joined(entity.name, at))

    def _joined(self, entity: str, at: int) -> Iterator[SemanticModel]:
        """The models that refer to an entity of the model at a position; of two that lead it, the later one joins the earlier."""
        for position, other in enumerate(self.models):
            if other.entity(entity) is not None and (not other.leads(entity) or position > at):
                yield other
