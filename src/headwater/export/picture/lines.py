"""A feed as a graph: entities with their columns, and one line for each source of each relation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from headwater.export.feed import Feed, Level
from headwater.export.records import Entity, Place, Relation, TableRelation
from headwater.model.entity import EntityKind
from headwater.model.kind import FOREIGN_KEY, KINDS, Kind

_KEPT = 4096
"""Entities whose names are remembered."""

KEY = KINDS[FOREIGN_KEY].clause

_TABLES = Kind("", None, "")


class Tip(NamedTuple):
    """One end of a line: a column and its entity. At the table level it is the entity alone: the column is 0 and nameless."""

    column: int
    column_name: str
    entity: int
    entity_name: str

    @property
    def id(self) -> int:
        """Of the column, at the table level of the entity."""
        return self.column or self.entity


class Line(NamedTuple):
    """One source reaches one target."""

    source: Tip
    target: Tip
    kind: Kind
    effect: str
    process: int
    expression: str
    place: Place | None

    @property
    def look(self) -> str:
        """What it is drawn as: its type, but a declared key is no data flow."""
        return KEY if self.kind.clause == KEY else self.kind.type


def graph(feed: Feed, level: Level) -> Iterator[Entity | Line]:
    """The entities and lines of a feed at a level; an entity comes before its lines."""
    yield from outliving(feed, level)
    yield from flow(feed, level)


def outliving(feed: Feed, level: Level) -> Iterator[Entity]:
    """The entities that outlive their statements; columns that nobody owns have none at the table level."""
    return (each for each in feed.entities() if level != "table" or each.kind is not EntityKind.ORPHAN)


def flow(feed: Feed, level: Level) -> Iterator[Entity | Line]:
    """The lines, and before them the entities inside of their statement."""
    if level == "table":
        yield from map(_of_tables, feed.table_relations())
        return
    for part in feed.parts():
        yield from part.entities
        for relation in part.relations:
            yield from lines_of(relation)


def lines_of(relation: Relation) -> Iterator[Line]:
    """A relation, source by source."""
    target = Tip(*relation.target[:4])
    rest = (relation.effect, relation.process, relation.expression, relation.place)
    return (Line(Tip(*source.end[:4]), target, source.kind, *rest) for source in relation.sources)


def _of_tables(relation: TableRelation) -> Line:
    source = Tip(0, "", relation.source, relation.source_name)
    target = Tip(0, "", relation.target, relation.target_name)
    return Line(source, target, _TABLES, "", relation.process, "", None)


class Names:
    """Names of columns as the whole feed spells them, where a statement may spell them otherwise."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._known = lru_cache(_KEPT)(self._look_up)

    def of(self, end: Tip) -> tuple[str, str]:
        """The names of an entity and its column; what lives inside a statement is called as its statement calls it."""
        found = self._known(end.entity)
        if found is None:
            return end.entity_name, end.column_name
        name, columns = found
        return name, columns.get(end.column, end.column_name)

    def _look_up(self, entity: int) -> tuple[str, dict[int, str]] | None:
        try:
            found = self._feed.entity(entity)
        except LookupError:
            return None
        return found.name, {column.id: column.name for column in found.columns}


def named(names: tuple[str, str]) -> str:
    """`db.t.c`; at the table level `db.t`."""
    return ".".join(filter(None, names))
