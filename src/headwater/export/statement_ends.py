"""What a statement's relations lead from and to, entity by entity."""

from __future__ import annotations

from collections.abc import Iterable

from headwater.export.qualified_names import Named, QualifiedNames, lives_in_statement
from headwater.export.records import Process, Relation
from headwater.model.entity import EntityKind
from headwater.model.kind import FOREIGN_KEY, KINDS

KEY = KINDS[FOREIGN_KEY].clause
"""The clause of a referenced key: no data flows."""


def own_entities(names: QualifiedNames, process: Process, relations: Iterable[Relation]) -> list[Named]:
    """The entities that live in the statement: its result, or the columns that nobody owns."""
    found: dict[int, Named] = {}
    for relation in relations:
        for end in (relation.target, *(source.end for source in relation.sources)):
            if lives_in_statement(end.kind) and end.entity not in found:
                found[end.entity] = names.owner(end, process)
    return list(found.values())


def table_flows(names: QualifiedNames, process: Process, relations: Iterable[Relation]) -> list[tuple[Named, Named]]:
    """Which entities flow into which: the table level of one statement."""
    found: dict[tuple[int, int], tuple[Named, Named]] = {}
    for relation in relations:
        for source in relation.sources:
            ends = (source.end.entity, relation.target.entity)
            if ends not in found and source.kind.clause != KEY and source.end.kind is not EntityKind.ORPHAN:
                found[ends] = (names.owner(source.end, process), names.owner(relation.target, process))
    return list(found.values())
