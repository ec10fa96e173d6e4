"""Semantic models to models, fields and relations.

A semantic model is a view over everything that its dbt model has. Its dimensions and entities are dimensions, its measures metrics of that
view; entities of one name join two models.
"""

from __future__ import annotations

from collections.abc import Iterator

from headwater.model.diagnostic import Code
from headwater.project.dbt.aggregates import aggregate, non_additive_filter
from headwater.project.dbt.document import Document, text
from headwater.project.dbt.documented import tags_of
from headwater.project.dbt.elements import Element, Elements, SemanticModel
from headwater.project.dbt.reading import Reading
from headwater.project.objects import Expression, Field, Model, Place, Relation

SECTION = "semantic_models"


def read_semantic_models(elements: Elements, reading: Reading) -> Iterator[Model]:
    """Semantic models as views; one whose table is unknown is left out, with a remark."""
    for model in elements.models:
        place = _place(model, reading)
        if not model.relation:
            message = f"the table of the semantic model {model.name} is unknown"
            reading.remarks.add(Code.UNKNOWN_REFERENCE, message, place, subject=model.name, hint="run `dbt parse`")
            continue
        yield Model(
            name=model.name,
            sql=f"select * from {model.relation}",
            source=reading.source,
            place=place,
            tags={"": tags} if (tags := tags_of(model.document)) else {},
            description=text(model.document, "description"),
        )


def read_elements(elements: Elements, reading: Reading) -> Iterator[Field]:
    """The dimensions, entities and measures of all semantic models."""
    for model in elements.models:
        for section, found in (("entities", model.entities), ("dimensions", model.dimensions)):
            yield from (_dimension(element, section, model, reading) for element in found)
        for measure in model.measures:
            place = _place(model, reading, "measures", measure.name)
            yield measure_field(measure, model, place, reading)


def measure_field(measure: Element, model: SemanticModel, place: Place, reading: Reading) -> Field:
    """A measure: its aggregate, and the rows that count."""
    sql = aggregate(measure.document, measure.sql)
    if sql is None:
        how = text(measure.document, "agg") or "none"
        message = f"the measure {measure.name} has an aggregation that is not known: {how}"
        reading.remarks.add(Code.UNSUPPORTED_CONSTRUCT, message, place, subject=measure.name)
        sql = measure.sql
    condition = non_additive_filter(measure.document, model)
    return Field(
        kind="metric",
        name=measure.name,
        expression=Expression((sql,), place),
        place=place,
        model=model.name,
        filters=(Expression((condition,), place),) if condition else (),
        tags=tags_of(measure.document),
        description=_description(measure.document),
        of_columns=True,
    )


def read_relations(elements: Elements, reading: Reading) -> Iterator[Relation]:
    """How semantic models can be joined: rows of one find the single row of the other by an entity that both have."""
    for entity, many, one in elements.pairs():
        place = _place(many, reading, "entities", entity)
        condition = Expression((many.column(entity), " = ", one.column(entity)), place)
        yield Relation(f"{many.name}__{entity}__{one.name}", condition, place, join="left")


def _dimension(element: Element, section: str, model: SemanticModel, reading: Reading) -> Field:
    place = _place(model, reading, section, element.name)
    return Field(
        kind="dimension",
        name=element.name,
        expression=Expression((element.sql,), place),
        place=place,
        model=model.name,
        tags=tags_of(element.document),
        description=_description(element.document),
        of_columns=True,
    )


def _description(document: Document) -> str:
    return text(document, "description") or text(document, "label")


def _place(model: SemanticModel, reading: Reading, *names: str) -> Place:
    """Where a semantic model or an element of it stands: in an entry of its own, or in that of its dbt model and the columns there."""
    in_model = ("models", model.alias, *(("columns", names[-1]) if names else ()))
    return reading.places.of_entry(model.document, SECTION, model.name, *names, otherwise=in_model)
