"""Impact, against a plain walk that settles one column at a time, over random stores."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from pathlib import Path

import pytest

import headwater
from headwater.graph import Graph
from headwater.graph.fields import FIELD
from headwater.graph.files import CONSTANT
from headwater.graph.impact import FILLS, READ_ANEW
from headwater.graph.impact_rules import Change, Fate, Target, fate_of, first_fate, outcome
from random_stores import random_store


class Walk:
    """Follows a change one column at a time."""

    def __init__(self, graph: Graph) -> None:
        arrays = graph.arrays
        self.kinds = [graph._records.table(entity).kind for entity in range(len(arrays.entity_rows))]
        self.rows = arrays.entity_rows.tolist()
        self.flags = arrays.node_flags.tolist()
        self.entity = arrays.node_entity.tolist()
        self.names = [arrays.names[name].as_py() for name in arrays.node_name.tolist()]
        types = arrays.processes.column("type").to_pylist()
        processes = arrays.relation_process.tolist()
        self.types = [types[process] if process >= 0 else "" for process in processes]
        self.processes = processes
        self.meanings = [arrays.meanings[kind] for kind in arrays.relation_kind.tolist()]
        self.ends = list(zip(arrays.relation_source.tolist(), arrays.relation_target.tolist(), strict=True))

    def hits(self, start: int, change: Change) -> dict[int, tuple[str, int]]:
        """Of each node that is hit, the verdict and the distance."""
        settled: dict[int, tuple[int, int]] = {}
        pending = [(int(first_fate(change)), 0, start)]
        while pending:
            fate, distance, node = heapq.heappop(pending)
            if node in settled:
                continue
            settled[node] = fate, distance
            for number, (source, _) in enumerate(self.ends):
                following = self.fate(Fate(fate), number) if source == node else None
                for each, hit in self.taken_along(following, number) if following is not None else ():
                    heapq.heappush(pending, (int(each), distance + 1, hit))
            if outcome(Fate(fate)).spreads_over_rows and self.rows[self.entity[node]] == node:
                for other in self.nodes_of(self.entity[node]):
                    heapq.heappush(pending, (fate, distance, other))
        del settled[start]
        return {node: (outcome(Fate(fate)).verdict, distance) for node, (fate, distance) in settled.items()}

    def fate(self, source: Fate, number: int) -> Fate | None:
        """What becomes of the target of a relation."""
        from_, to = self.ends[number]
        meaning, entity = self.meanings[number], self.entity[to]
        missing = source in (Fate.GONE, Fate.RENAMED)
        if missing and meaning.kind.clause == FIELD and len(self.names[to]) <= len(self.names[from_]):
            return None
        others = {
            self.entity[other]
            for n, (other, target) in enumerate(self.ends)
            if target == to and self.processes[n] == self.processes[number] and self.meanings[n].star and self.makes(n)
        }
        if self.kinds[entity] in READ_ANEW:
            kind = Target.READ_ANEW
        else:
            kind = Target.FILLED if self.types[number] in FILLS else Target.MADE
        return fate_of(source, meaning, kind, missing and meaning.star and len(others) > 1)

    def taken_along(self, fate: Fate, number: int) -> Iterator[tuple[Fate, int]]:
        """The target of a relation, and what its statement takes along."""
        target = self.ends[number][1]
        yield fate, target
        if not outcome(fate).takes_along:
            return
        table = self.entity[target]
        writers = [
            (self.processes[n], to) for n, (_, to) in enumerate(self.ends) if self.entity[to] == table and self.makes(n)
        ]
        made = {to for process, to in writers if process == self.processes[number]}
        yield from ((fate, each) for each in made)
        if fate is Fate.NOT_FILLED and self.rows[table] in made:
            alone = len({process for process, _ in writers}) == 1
            for each in self.nodes_of(table):
                yield (fate if alone and self.flags[each] & CONSTANT else Fate.PARTLY_FILLED), each

    def makes(self, number: int) -> bool:
        return self.meanings[number].kind.clause != "foreignKey"

    def nodes_of(self, entity: int) -> list[int]:
        return [node for node, owner in enumerate(self.entity) if owner == entity]


@pytest.mark.parametrize("change", ["drop", "rename", "retype"])
@pytest.mark.parametrize("seed", [1, 2])
def test_impact_is_what_a_plain_walk_finds(tmp_path: Path, change: Change, seed: int) -> None:
    graph = headwater.open(random_store(tmp_path / "lineage", seed=seed, graphs=10).path)
    walk = Walk(graph)
    for node in range(graph.arrays.nodes):
        found = graph.impact(graph._records.column(node), change)
        hits = {hit.column.node: (hit.verdict, hit.distance) for hit in found.hits}
        assert hits == walk.hits(node, change)
        assert sum(found.counts().values()) == len(hits)
