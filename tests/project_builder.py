"""Projects for tests, in few words: `expression("SUM({orders.amount})")` refers to what stands in braces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from headwater.project.objects import (
    Expression,
    Field,
    Model,
    Place,
    Presentation,
    Project,
    Property,
    Reference,
    Relation,
    Source,
)

HERE = Place("project.yml", 1)
SHOP = Source("shop_db", "duckdb", HERE)


def expression(text: str, place: Place = HERE) -> Expression:
    """SQL with references in braces."""
    parts: list[str | Reference] = []
    for number, part in enumerate(re.split(r"\{([^}]*)\}", text)):
        if number % 2:
            name, _, field = part.partition(".")
            parts.append(Reference(name, field.strip('"'), field.startswith('"')))
        elif part:
            parts.append(part)
    return Expression(tuple(parts), place)


def model(name: str, sql: str, source: Source = SHOP, **more: object) -> Model:
    """A model."""
    return Model(name, sql, source, HERE, **more)  # type: ignore[arg-type]


def metric(name: str, text: str, model: str = "", place: Place = HERE) -> Field:
    """A metric."""
    return Field("metric", name, expression(text), place, model)


def dimension(name: str, text: str, model: str = "", place: Place = HERE) -> Field:
    """A dimension."""
    return Field("dimension", name, expression(text), place, model)


def relation(name: str, text: str, **more: object) -> Relation:
    """A relation."""
    return Relation(name, expression(text), HERE, **more)  # type: ignore[arg-type]


def insight(
    name: str,
    properties: Mapping[str, str],
    filters: Iterable[str] = (),
    sorts: Iterable[str] = (),
    splits: Iterable[str] = (),
    place: Place = HERE,
) -> Presentation:
    """An insight."""
    made = tuple(Property(each, expression(text)) for each, text in properties.items())
    rest = (tuple(expression(text) for text in texts) for texts in (filters, sorts, splits))
    return Presentation("insight", "insight", name, place, made, *rest)


def showing(kind: str, name: str, *shown: str, word: str = "") -> Presentation:
    """A chart, table or dashboard that shows others."""
    shows = tuple(Reference(*each.partition(".")[::2]) for each in shown)
    return Presentation(kind, word or kind, name, HERE, shows=shows)  # type: ignore[arg-type]


def project(*objects: object, catalog: Mapping[str, Mapping[str, str]] | None = None) -> Project:
    """A project of these objects, whatever they are."""

    def of(kind: type) -> tuple[object, ...]:
        return tuple(each for each in objects if isinstance(each, kind))

    listed = (of(Model), of(Field), of(Relation), of(Presentation))
    return Project("shop", "visivo", (SHOP,), *listed, catalogs={SHOP.dialect: catalog or {}})  # type: ignore[arg-type]
