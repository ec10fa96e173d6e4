"""The feed of scripts that were analysed just now: everything is in memory, statement by statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from headwater.export.feed import Feed, Part, Scope
from headwater.export.numbers import NewNumbers
from headwater.export.records import Column, Entity, Place, Process, Relation, Remark, Script, TableRelation
from headwater.export.statement_records import StatementRecords
from headwater.lineage.lineage import Lineage
from headwater.model.diagnostic import Diagnostic
from headwater.model.entity import EntityKind
from headwater.model.kind import FOREIGN_KEY, KINDS


class ScriptFeed(Feed):
    """The records of scripts, numbered in the order in which they come."""

    def __init__(self, lineages: Iterable[Lineage], scope: Scope | None = None) -> None:
        super().__init__(scope or Scope())
        self._lineages = list(lineages)
        numbers = NewNumbers()
        self._statements = [
            StatementRecords(statement, lineage, number, numbers)
            for number, lineage in enumerate(self._lineages)
            for statement in lineage.statements
        ]
        self._processes: dict[int, Process] = {}
        self._entities: dict[int, Entity] = {}
        found: dict[int, _Growing] = {}
        for statement in self._statements:
            self._add(statement.process)
            for entity in statement.entities():
                found.setdefault(entity.id, _Growing(entity)).add(entity)
        self._entities = {id: growing.entity() for id, growing in found.items()}

    def _add(self, process: Process) -> None:
        known = self._processes.get(process.id)
        self._processes[process.id] = known._replace(places=(*known.places, *process.places)) if known else process

    @property
    def dialect(self) -> str:
        """The dialect of most statements."""
        found = Counter(process.dialect for process in self._processes.values())
        return found.most_common(1)[0][0] if found else ""

    def scripts(self) -> Iterator[Script]:
        """The scripts, by number."""
        return (Script(number, lineage.path or "") for number, lineage in enumerate(self._lineages))

    def processes(self) -> Iterator[Process]:
        """The processes, by id."""
        return iter(self._processes.values())

    def process(self, id: int) -> Process:
        """A process, by its id."""
        return self._processes[id]

    def entities(self) -> Iterator[Entity]:
        """The entities that outlive their statements, and what queries give that write nothing."""
        return iter(self._entities.values())

    def entity(self, id: int) -> Entity:
        """One of those entities, by its id."""
        return self._entities[id]

    def parts(self) -> Iterator[Part]:
        """The relations of the complete or the column level, statement by statement; a text met again says nothing new."""
        told: set[object] = set()
        for statement in self._statements:
            relations = [r for r in statement.relations(self.scope) if _identity(r) not in told]
            told.update(map(_identity, relations))
            inner: tuple[Entity, ...] = ()
            if self.scope.level == "complete":
                inner = tuple(e for e in statement.inner_entities(self.scope) if e.id not in told)
                told.update(entity.id for entity in inner)
            if relations or inner:
                yield Part(inner, tuple(relations))

    def statements(self) -> Iterator[tuple[Process, list[Relation]]]:
        """Every process with its relations of the column level."""
        found: dict[int, dict[object, Relation]] = {id: {} for id in self._processes}
        for statement in self._statements:
            for relation in statement.column_relations:
                if self.scope.impact or relation.type == "fdd":
                    found[statement.process.id].setdefault(_identity(relation), relation)
        return ((self._processes[id], list(relations.values())) for id, relations in found.items())

    def table_relations(self) -> Iterator[TableRelation]:
        """The relations of the table level."""
        found: dict[TableRelation, None] = {}
        key = KINDS[FOREIGN_KEY].clause
        for process, relations in self.statements():
            for relation in relations:
                for source in relation.sources:
                    kind = self._entities[source.end.entity].kind
                    if kind is not EntityKind.ORPHAN and source.kind.clause != key:
                        ends = (source.end.entity, source.end.entity_name, process.id)
                        found[TableRelation(*ends, relation.target.entity, relation.target.entity_name)] = None
        return iter(found)

    def remarks(self) -> Iterator[Remark]:
        """The diagnostics."""
        for number, lineage in enumerate(self._lineages):
            for diagnostic in lineage.diagnostics:
                yield self._remark(number, lineage, diagnostic)

    def _remark(self, script: int, lineage: Lineage, said: Diagnostic) -> Remark:
        place = None if said.span is None else Place(script, *lineage.positions(said.span))
        texts = (said.code.value, said.severity.value, said.message, said.subject, said.hint)
        return Remark(*texts, script, place, self._process_at(place))

    def _process_at(self, place: Place | None) -> int:
        for process in self._processes.values() if place else ():
            if any(p.script == place.script and p.start <= place.start < p.end for p in process.places):  # type: ignore[union-attr]
                return process.id
        return 0


def _identity(relation: Relation) -> object:
    """What makes a relation the same as another, wherever it stands."""
    sources = tuple((source.end.column, source.kind) for source in relation.sources)
    return relation.process, relation.target.column, relation.type, relation.expression, sources


@dataclass(slots=True)
class _Growing:
    """An entity, of which statement after statement says something."""

    first: Entity
    columns: dict[int, Column] = field(default_factory=dict)
    places: dict[Place, None] = field(default_factory=dict)
    processes: dict[int, None] = field(default_factory=dict)
    view: bool = False
    alias: str | None = None
    file_format: str = ""

    def add(self, said: Entity) -> None:
        """Add what a statement says."""
        self.view |= said.kind is EntityKind.VIEW
        self.alias = self.alias or said.alias
        self.file_format = self.file_format or said.file_format
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
            processes=tuple(self.processes),
            places=tuple(self.places),
            columns=tuple(self.columns.values()),
        )


def _both(one: Column, other: Column) -> Column:
    places = tuple(dict.fromkeys((*one.places, *other.places)))
    return one._replace(
        data_type=one.data_type or other.data_type, inferred=one.inferred and other.inferred, places=places
    )
