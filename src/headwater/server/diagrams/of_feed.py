"""A feed to a diagram: the same records that all formats are made of, each relation with one source.

What would be too much to draw is told at the table level instead; what is too much even there is cut, and the diagram's note says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice

from headwater.export import records
from headwater.export.feed import Feed
from headwater.model.entity import EntityKind
from headwater.model.kind import FDD, IDENTITY, KINDS
from headwater.model.relation import OUTSIDE
from headwater.server.shapes.diagram import (
    Diagram,
    DiagramColumn,
    DiagramEntity,
    DiagramProcess,
    DiagramRelation,
    DiagramScript,
    Place,
    Position,
)

_LONGEST = 1000
"""Characters of an expression that are told: each of ten thousand sources of one expression has it."""


@dataclass(frozen=True, slots=True)
class Most:
    """How much a diagram holds at most."""

    relations: int = 20_000
    columns: int = 40_000
    entities: int = 5_000
    processes: int = 10_000


_Hop = tuple[records.Relation, records.Source]


class _TooMuch(Exception):
    """There is more than a diagram holds."""


def diagram_of(feed: Feed, most: Most | None = None) -> Diagram:
    """The diagram of a feed at its level, or at the table level if that would be too much."""
    most = most or Most()
    if feed.scope.level == "table":
        return _of_tables(feed, most)
    try:
        return _of_columns(feed, most)
    except _TooMuch:
        tables = _of_tables(feed, most)
        note = f"The {feed.scope.level} level has too much to draw; this is the table level."
        return tables.model_copy(update={"note": f"{note} {tables.note}".strip()})


def _of_columns(feed: Feed, most: Most) -> Diagram:
    """The complete or the column level; raises `_TooMuch`."""
    entities = list(feed.entities())
    hops: list[_Hop] = []
    for part in feed.parts():
        entities += part.entities
        hops += [(relation, source) for relation in part.relations for source in relation.sources]
        if len(hops) > most.relations or len(entities) > most.entities:
            raise _TooMuch
    if sum(len(entity.columns) for entity in entities) > most.columns or len(entities) > most.entities:
        raise _TooMuch
    return Diagram(
        level=feed.scope.level,
        scripts=_scripts(feed),
        processes=[_process(process) for process in islice(feed.processes(), most.processes)],
        entities=[_entity(entity) for entity in entities],
        relations=[_relation(number, *hop) for number, hop in enumerate(hops)],
        focus=None,
        note="",
    )


def _of_tables(feed: Feed, most: Most) -> Diagram:
    """The table level; an influence on rows alone is `fdr`, whatever flows besides makes it `fdd`."""
    flows = set(feed.scoped(replace(feed.scope, impact=False)).table_relations())
    found = list(feed.scoped(replace(feed.scope, impact=True)).table_relations())
    entities = [entity for entity in feed.entities() if entity.kind is not EntityKind.ORPHAN]
    known = {entity.id for entity in entities[: most.entities]}
    shown = [each for each in found if each.source in known and each.target in known][: most.relations]
    cut = len(entities) > most.entities or len(found) > len(shown)
    return Diagram(
        level="table",
        scripts=_scripts(feed),
        processes=[_process(process) for process in islice(feed.processes(), most.processes)],
        entities=[_entity(entity, columns=False) for entity in entities[: most.entities]],
        relations=[
            DiagramRelation(
                id=f"r{number}",
                type="fdd" if each in flows else "fdr",
                subtype=None,
                clause="",
                source_entity=str(each.source),
                source=None,
                target_entity=str(each.target),
                target=None,
                process=str(each.process),
                expression="",
                place=None,
                source_place=None,
            )
            for number, each in enumerate(shown)
        ],
        focus=None,
        note=f"Only the first {len(known)} of {len(entities)} tables are shown." if cut else "",
    )


def _scripts(feed: Feed) -> list[DiagramScript]:
    return [DiagramScript(id=str(script.number), path=script.path) for script in feed.scripts()]


def _process(process: records.Process) -> DiagramProcess:
    return DiagramProcess(
        id=str(process.id),
        type=process.type,
        procedure="" if process.procedure == OUTSIDE else process.procedure,
        place=place_of(process.places[0]) if process.places else None,
    )


def _entity(entity: records.Entity, columns: bool = True) -> DiagramEntity:
    return DiagramEntity(
        id=str(entity.id),
        kind=entity.kind.value,
        type=entity.type,
        name=entity.name,
        alias=entity.alias,
        temporary=entity.temporary,
        places=_places(entity.places),
        columns=[_column(column) for column in entity.columns] if columns else [],
        hidden_columns=0 if columns else sum(not column.row_set for column in entity.columns),
        beyond=None,
        distance=None,
    )


def _column(column: records.Column) -> DiagramColumn:
    return DiagramColumn(
        id=str(column.id),
        name=column.name,
        data_type=column.data_type,
        inferred=column.inferred,
        row_set=column.row_set,
        places=_places(column.places),
    )


def _relation(number: int, relation: records.Relation, source: records.Source) -> DiagramRelation:
    kind = source.kind
    plain = kind.type == FDD and kind.subtype == KINDS[IDENTITY].subtype
    return DiagramRelation(
        id=f"r{number}",
        type=relation.type,  # type: ignore[arg-type]  # the model's three words
        subtype=kind.subtype,
        clause=kind.clause,
        effect=relation.effect,
        masking=kind.masking,
        candidate=kind.candidate,
        star=plain and relation.expression.endswith("*"),
        source_entity=str(source.end.entity),
        source=str(source.end.column),
        target_entity=str(relation.target.entity),
        target=str(relation.target.column),
        process=str(relation.process),
        expression=_cut(relation.expression),
        place=place_of(relation.place) if relation.place else None,
        source_place=place_of(source.place) if source.place else None,
    )


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _places(places: Iterable[records.Place]) -> list[Place]:
    return [place_of(place) for place in places]


def place_of(place: records.Place) -> Place:
    """A place of a feed, as a shape."""
    start, end = place.start, place.end
    return Place(
        script=str(place.script),
        start=Position(line=start.line, column=start.column),
        end=Position(line=end.line, column=end.column),
    )
