"""Entities of which statement after statement says something: a table, or a variable of a program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from headwater.export.records import Column, Entity, Place
from headwater.model.entity import EntityKind, TableName


def grown(said: Iterable[Entity]) -> dict[int, Entity]:
    """Entities by their ids, of which several records say something each."""
    found: dict[int, Growing] = {}
    for entity in said:
        found.setdefault(entity.id, Growing(entity)).add(entity)
    return {id: growing.entity() for id, growing in found.items()}


Comments = Mapping[tuple[TableName, str | None], str]
"""What is said of tables, and of their columns, for people; by folded names."""


def with_comments(entities: dict[int, Entity], comments: Comments) -> dict[int, Entity]:
    """Entities with what is said of them for people."""
    tables = {table for table, _ in comments}
    return {id: _commented(each, comments) if each.parts in tables else each for id, each in entities.items()}


def _commented(entity: Entity, comments: Comments) -> Entity:
    columns = (
        column._replace(comment=comments.get((entity.parts, column.folded or column.name), ""))
        for column in entity.columns
    )
    return entity._replace(comment=comments.get((entity.parts, None), ""), columns=tuple(columns))


@dataclass(slots=True)
class Growing:
    """An entity, of which statement after statement says something."""

    first: Entity
    columns: dict[int, Column] = field(default_factory=dict)
    places: dict[Place, None] = field(default_factory=dict)
    processes: dict[int, None] = field(default_factory=dict)
    view: bool = False
    alias: str | None = None
    file_format: str = ""
    defined_by: int = 0

    def add(self, said: Entity) -> None:
        """Add what a statement says."""
        self.view |= said.kind is EntityKind.VIEW
        self.alias = self.alias or said.alias
        self.file_format = self.file_format or said.file_format
        self.defined_by = self.defined_by or said.defined_by
        self.places.update(dict.fromkeys(said.places))
        self.processes.update(dict.fromkeys(said.processes))
        for column in said.columns:
            known = self.columns.get(column.id)
            self.columns[column.id] = _both(known, column) if known else column

    def entity(self) -> Entity:
        """The entity by all that was said."""
        kind = EntityKind.VIEW if self.view else self.first.kind
        return self.first._replace(
            kind=kind,
            type=self.first.type if kind is self.first.kind else kind.value,
            alias=self.alias,
            file_format=self.file_format,
            defined_by=self.defined_by,
            processes=tuple(self.processes),
            places=tuple(self.places),
            columns=tuple(self.columns.values()),
        )


def _both(one: Column, other: Column) -> Column:
    places = tuple(dict.fromkeys((*one.places, *other.places)))
    return one._replace(
        name=other.name if other.places and not one.places else one.name,
        data_type=one.data_type or other.data_type,
        inferred=one.inferred and other.inferred,
        places=places,
    )
