"""The feed of scripts that were analysed just now: everything is in memory, statement by statement."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property

from headwater.export.feed import Feed, Part, Scope
from headwater.export.growing import Comments, grown, with_comments
from headwater.export.numbers import NewNumbers
from headwater.export.records import Entity, Place, Procedure, Process, Relation, Remark, Script, TableRelation
from headwater.export.statement_records import StatementRecords
from headwater.lineage.lineage import Lineage
from headwater.model.diagnostic import Diagnostic
from headwater.model.entity import EntityKind
from headwater.model.kind import FOREIGN_KEY, KINDS


class ScriptFeed(Feed):
    """The records of scripts, numbered in the order in which they come."""

    def __init__(self, lineages: Iterable[Lineage], scope: Scope | None = None, timed: bool = False) -> None:
        """The relations of what is *timed* are made in what is left of the time of their script."""
        super().__init__(scope or Scope())
        self._lineages = list(lineages)
        numbers = NewNumbers()
        self._statements = [
            StatementRecords(statement, lineage, number, numbers, timed=timed)
            for number, lineage in enumerate(self._lineages)
            for statement in lineage.statements
        ]
        self._processes: dict[int, Process] = {}
        self._procedures: dict[int, Procedure] = {}
        for statement in self._statements:
            self._add(statement.process)
            for procedure in statement.procedures():
                known = self._procedures.setdefault(procedure.id, procedure)
                places = tuple(dict.fromkeys((*known.places, *procedure.places)))
                self._procedures[procedure.id] = known._replace(places=places)
        said = grown(entity for statement in self._statements for entity in statement.entities())
        self._entities = with_comments(said, self._comments())

    def _comments(self) -> Comments:
        """What statements say of tables and columns for people; the last of them counts."""
        return {
            (table, column): text
            for lineage in self._lineages
            for statement in lineage.statements
            for table, column, text in statement.resolution.comments
        }

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

    def procedures(self) -> Iterator[Procedure]:
        """The procedures, functions and triggers that processes create."""
        return iter(self._procedures.values())

    def entities(self) -> Iterator[Entity]:
        """The entities that outlive their statements, and what queries give that write nothing."""
        return iter(self._entities.values())

    def entity(self, id: int) -> Entity:
        """One of those entities, by its id."""
        return self._entities[id]

    def parts(self) -> Iterator[Part]:
        """The relations of the complete or the column level, statement by statement; a text met again says nothing new."""
        told: set[object] = set()
        complete = self.scope.level == "complete"
        variables = grown(v for each in self._statements for v in each.variables(self.scope)) if complete else {}
        for statement in self._statements:
            relations = [r for r in statement.relations(self.scope) if r.identity not in told]
            told.update(relation.identity for relation in relations)
            inner: tuple[Entity, ...] = ()
            if complete:
                found = {entity.id: entity for entity in statement.inner_entities(self.scope)}
                found.update((said.id, variables[said.id]) for said in statement.variables(self.scope))
                inner = tuple(entity for id, entity in found.items() if id not in told)
                told.update(entity.id for entity in inner)
            if relations or inner:
                yield Part(inner, tuple(relations))

    def statements(self) -> Iterator[tuple[Process, list[Relation]]]:
        """Every process with its relations of the column level."""
        found: dict[int, dict[object, Relation]] = {id: {} for id in self._processes}
        for statement in self._statements:
            for relation in statement.column_relations:
                if self.scope.impact or relation.type == "fdd":
                    found[statement.process.id].setdefault(relation.identity, relation)
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
        """The innermost process around a place, as a procedure's statements stand inside of the one that creates it; 0 for none."""
        if place is None:
            return 0
        before = bisect_right(
            self._places, (place.script, place.start), key=lambda each: (each[0].script, each[0].start)
        )
        for around, process in map(self._places.__getitem__, range(before - 1, -1, -1)):
            if around.script != place.script:
                break
            if place.start < around.end:
                return process
        return 0

    @cached_property
    def _places(self) -> list[tuple[Place, int]]:
        """Where processes stand, with their ids, in order; of those that begin at the same place the longest first."""
        found = [(place, process.id) for process in self._processes.values() for place in process.places]
        found.sort(key=lambda each: each[0].end, reverse=True)
        return sorted(found, key=lambda each: (each[0].script, each[0].start))
