"""The feed of a store: read in parts from the graph's arrays, which are mapped, so that memory does not grow with the store."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from headwater.export.feed import Feed, Part, Scope
from headwater.export.records import Entity, Place, Procedure, Process, Relation, Remark, Script, Source, TableRelation
from headwater.feeds.store_records import StoreRecords
from headwater.graph import Graph
from headwater.graph.adjacency import INFLUENCE, KEYS, LAYERS, Flow
from headwater.graph.files import Ints
from headwater.lineage.complete import effect_of
from headwater.model.kind import FDD, FOREIGN_KEY, KINDS
from headwater.model.span import Position

_AT_ONCE = 20_000
"""Relations whose texts are looked up together."""
_KEY = KINDS[FOREIGN_KEY].clause


class StoreFeed(Feed):
    """The records of a snapshot."""

    def __init__(self, graph: Graph, scope: Scope | None = None) -> None:
        super().__init__(scope or Scope())
        self.graph = graph
        self._snapshot = graph.snapshot
        self._arrays = graph.arrays
        self._records = StoreRecords(graph.snapshot, graph.arrays)

    @property
    def records(self) -> StoreRecords:
        """Where its records come from, by number."""
        return self._records

    @property
    def dialect(self) -> str:
        """The dialect of most statements."""
        return self._records.dialect

    def scripts(self) -> Iterator[Script]:
        """The scripts, by number."""
        return map(self._records.script, range(len(self._records.script_ids)))

    def processes(self) -> Iterator[Process]:
        """The processes, by id."""
        return map(self._records.process, range(1, len(self._records.process_ids) + 1))

    def process(self, id: int) -> Process:
        """A process, by its id."""
        return self._records.process(id)

    def procedures(self) -> Iterator[Procedure]:
        """The procedures, functions and triggers that processes create, by id: behind the numbers of all that the store keeps."""
        return iter(self._procedures)

    @cached_property
    def _procedures(self) -> list[Procedure]:
        from headwater.feeds.store_procedures import procedures

        return procedures(self._snapshot, self._records)

    def entities(self) -> Iterator[Entity]:
        """The entities that outlive their statements, and what queries give that write nothing."""
        return map(self._records.entity, range(self._records.first_entity, self._records.first_column))

    def entity(self, id: int) -> Entity:
        """One of those entities, by its id."""
        return self._records.entity(id)

    def parts(self) -> Iterator[Part]:
        """The relations: of the column level entity by entity, of the complete level script by script."""
        if self.scope.level == "complete" and self.scope.intermediate:
            from headwater.feeds.store_complete import complete_parts

            first = self._records.first_inner + sum(1 + len(each.arguments) for each in self._procedures)
            yield from complete_parts(self._snapshot, self._arrays, self._records, self.scope, self._of_process, first)
            return
        for relations in self._by_target():
            yield Part((), tuple(self._relations(relations)))

    def relations_into(self, nodes: Ints) -> Iterator[Relation]:
        """The relations of the column level into some of the graph's nodes, in order of their targets."""
        arrays = self._arrays
        own = arrays.incoming.relations[arrays.incoming.positions(nodes, Flow(influence=True, keys=True))]
        return self._relations(
            own[np.lexsort((arrays.relation_id[own], arrays.relation_source[own], arrays.relation_target[own]))]
        )

    def statements(self) -> Iterator[tuple[Process, list[Relation]]]:
        """Every process with its relations of the column level."""
        for number in range(1, len(self._records.process_ids) + 1):
            yield self._records.process(number), self._of_process(number)

    @cached_property
    def _by_process(self) -> tuple[Ints, Ints]:
        """Relations in order of their processes, and where each process begins."""
        numbers = self._records.process_numbers(self._arrays.relation_process)
        order = np.argsort(numbers, kind="stable").astype(np.int32)
        bounds = np.searchsorted(numbers[order], np.arange(len(self._records.process_ids) + 2))
        return order, bounds

    def _of_process(self, number: int) -> list[Relation]:
        arrays, (order, bounds) = self._arrays, self._by_process
        own = order[bounds[number] : bounds[number + 1]]
        own = own[np.lexsort((arrays.relation_id[own], arrays.relation_source[own], arrays.relation_target[own]))]
        return list(self._relations(own))

    def table_relations(self) -> Iterator[TableRelation]:
        """The relations of the table level."""
        arrays, records = self._arrays, self._records
        last = KEYS if self.scope.impact else INFLUENCE
        for entity in range(arrays.entities.num_rows):
            first, behind = map(int, arrays.entity_start[entity : entity + 2])
            bounds = arrays.incoming.bounds[first * LAYERS : behind * LAYERS + 1]
            spans = [slice(*bounds[[n * LAYERS, n * LAYERS + last]]) for n in range(behind - first)]
            if not any(span.stop > span.start for span in spans):
                continue
            relations = np.concatenate([arrays.incoming.relations[span] for span in spans])
            relations = relations[arrays.relation_process[relations] >= 0]
            sources = arrays.node_entity[arrays.relation_source[relations]].astype(np.int64)
            processes = records.process_numbers(arrays.relation_process[relations])
            target = records.first_entity + entity
            for source, process in np.unique(np.stack([sources, processes]), axis=1).T.tolist():
                if not records.is_orphan(source):
                    end = records.first_entity + source
                    names = (records.entity_name(source), records.entity_name(entity))
                    yield TableRelation(end, names[0], process, target, names[1])

    def remarks(self) -> Iterator[Remark]:
        """The diagnostics, by script and place."""
        table = self._snapshot.table("diagnostics").sort_by(
            [("script_id", "ascending"), ("start", "ascending"), ("code", "ascending"), ("message", "ascending")]
        )
        for batch in table.to_batches(max_chunksize=1000):
            yield from map(self._remark, batch.to_pylist())

    def _remark(self, row: dict[str, Any]) -> Remark:
        script = self._records.script_number(row["script_id"])
        place = None
        if row["line"] is not None and script >= 0:
            at = Position(row["line"], row["column"] or 1)
            place = Place(script, at, at)
        code, severity, message, subject, hint = (
            row[name] or "" for name in ("code", "severity", "message", "subject", "hint")
        )
        process = self._records.process_of(row["process_id"] or 0)
        return Remark(code, severity, message, subject, hint, script, place, process)

    def _by_target(self) -> Iterator[Ints]:
        """The relations of the arrays in order of their targets, some thousand at a time and never half of a target's."""
        incoming = self._arrays.incoming
        nodes = self._arrays.nodes
        first = 0
        while first < nodes:
            start = int(incoming.bounds[first * LAYERS])
            last = int(np.searchsorted(incoming.bounds[::LAYERS], start + _AT_ONCE, "right")) - 1
            last = min(max(last, first + 1), nodes)
            own = incoming.relations[start : int(incoming.bounds[last * LAYERS])]
            if own.size:
                targets = self._arrays.relation_target[own]
                yield own[np.lexsort((self._arrays.relation_id[own], self._arrays.relation_source[own], targets))]
            first = last

    def _relations(self, own: Ints) -> Iterator[Relation]:
        """Records of relations that stand in order of their targets: those of one target, process, type and text are one."""
        arrays = self._arrays
        own = own[arrays.relation_process[own] >= 0]
        processes = self._records.process_numbers(arrays.relation_process[own]).tolist()
        kinds = [arrays.meanings[kind].kind for kind in arrays.relation_kind[own].tolist()]
        ends = zip(arrays.relation_target[own].tolist(), arrays.relation_source[own].tolist(), strict=True)
        details = arrays.details.rows(own)
        rows = zip(ends, processes, kinds, details, strict=True)
        wanted = (row for row in rows if self.scope.impact or row[2].type == FDD)
        for target, same in groupby(wanted, key=lambda row: row[0][0]):
            grouped: dict[_Made, list[Source]] = {}
            for (_, source), process, kind, (expression, start, end) in same:
                made = _Made(process, kind.type, kind.clause == _KEY, expression or "", start, end)
                grouped.setdefault(made, []).append(Source(self._records.end(source), kind, None))
            for made, sources in grouped.items():
                yield self._relation(target, made, sources)

    def _relation(self, target: int, made: _Made, sources: list[Source]) -> Relation:
        effect = "" if made.key else effect_of(self._records.process(made.process).type)
        place = self._records.place(made.process, made.start, made.end) if self.scope.places else None
        end = self._records.end(target)
        return Relation(made.type, effect, made.process, end, tuple(sources), made.expression, place)


class _Made(NamedTuple):
    """What relations of one target have in common that are one relation."""

    process: int
    type: str
    key: bool
    """Whether it is a referenced key."""
    expression: str
    start: int | None
    end: int | None
