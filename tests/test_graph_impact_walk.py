"""Impact, against a plain walk that settles one column at a time, over random stores."""

from __future__ import annotations

import heapq
from pathlib import Path

import pytest

import headwater
from headwater.graph import Graph
from headwater.graph.impact_rules import Change, Fate, fate_of, first_fate, outcome
from headwater.model.entity import SEMANTIC, EntityKind
from random_stores import random_store

READ_ANEW = frozenset({EntityKind.VIEW, EntityKind.RESULT_SET}) | SEMANTIC


def plain(graph: Graph, start: int, change: Change) -> dict[int, tuple[str, int]]:
    """Of each node that is hit, the verdict and the distance."""
    arrays = graph.arrays
    relations = list(zip(arrays.relation_source.tolist(), arrays.relation_target.tolist(), strict=True))
    entity = arrays.node_entity.tolist()
    settled: dict[int, tuple[int, int]] = {}
    pending = [(int(first_fate(change)), 0, start)]
    while pending:
        fate, distance, node = heapq.heappop(pending)
        if node in settled:
            continue
        settled[node] = fate, distance
        for number, (source, target) in enumerate(relations):
            if source != node:
                continue
            anew = graph._records.table(entity[target]).kind in READ_ANEW
            following = fate_of(Fate(fate), arrays.meanings[int(arrays.relation_kind[number])], anew)
            if following is None:
                continue
            hit = [target]
            if outcome(following).takes_along:
                process = int(arrays.relation_process[number])
                hit += [
                    other
                    for n, (_, other) in enumerate(relations)
                    if entity[other] == entity[target]
                    and int(arrays.relation_process[n]) == process
                    and arrays.meanings[int(arrays.relation_kind[n])].kind.clause != "foreignKey"
                ]
            for each in hit:
                heapq.heappush(pending, (int(following), distance + 1, each))
        if outcome(Fate(fate)).spreads_over_rows and int(arrays.entity_rows[entity[node]]) == node:
            for other in range(arrays.nodes):
                if entity[other] == entity[node]:
                    heapq.heappush(pending, (fate, distance, other))
    del settled[start]
    return {node: (outcome(Fate(fate)).verdict, distance) for node, (fate, distance) in settled.items()}


@pytest.mark.parametrize("change", ["drop", "rename", "retype"])
@pytest.mark.parametrize("seed", [1, 2])
def test_impact_is_what_a_plain_walk_finds(tmp_path: Path, change: Change, seed: int) -> None:
    graph = headwater.open(random_store(tmp_path / "lineage", seed=seed, graphs=10).path)
    for node in range(graph.arrays.nodes):
        found = graph.impact(graph._records.column(node), change)
        hits = {hit.column.node: (hit.verdict, hit.distance) for hit in found.hits}
        assert hits == plain(graph, node, change)
        assert sum(found.counts().values()) == len(hits)
