"""End to end: how the first sources of a column reach it over any number of hops, by the model's rules for two hops at a time.

Kinds are few, so for each column on the way the set of kinds by which it reaches the end is small, and is worked out to a fixed point;
cycles change nothing about that. Of several ways to the same source each kind is kept.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from headwater.graph.adjacency import Flow
from headwater.graph.closure import Direction, closure
from headwater.graph.ends import ends
from headwater.graph.files import ROW_SET, Arrays, Ints
from headwater.graph.records import Column, Records
from headwater.model.kind import FDD, KINDS, WRITE_ROWS, Kind, code, compose


@dataclass(frozen=True, slots=True)
class EndToEnd:
    """A first source of a column, and one way in which it reaches it."""

    source: Column
    kind: Kind
    distance: int


def end_to_end(arrays: Arrays, records: Records, column: Column, flow: Flow) -> list[EndToEnd]:
    """The first sources of a column, each with the kinds of its ways."""
    reach = closure(arrays, np.array([column.node]), Direction.UPSTREAM, flow)
    distance = dict(zip(reach.nodes.tolist(), reach.distances.tolist(), strict=True))
    kinds = _composed(arrays, column.node, np.sort(reach.nodes), flow)
    found = []
    for node in ends(arrays, reach.nodes, Direction.UPSTREAM, flow).tolist():
        if not arrays.node_flags[node] & ROW_SET:
            ways = _ordered(kinds.get(node, set()))
            found += [EndToEnd(records.column(node), kind, distance[node]) for kind in ways]
    return found


def _composed(arrays: Arrays, end: int, nodes: Ints, flow: Flow) -> dict[int, set[int]]:
    """For each node the kinds by which it reaches the end in one hop or more."""
    before = _hops_into(arrays, nodes, flow)
    kinds: dict[int, set[int]] = {}
    for source, hop in before[end]:
        kinds.setdefault(source, set()).add(hop)
    pending = deque(kinds)
    while pending:
        node = pending.popleft()
        for source, hop in before[node]:
            known = kinds.setdefault(source, set())
            more = {compose(hop, kind) for kind in kinds[node]} - known
            if more:
                known |= more
                pending.append(source)
    return kinds


def _hops_into(arrays: Arrays, nodes: Ints, flow: Flow) -> dict[int, set[tuple[int, int]]]:
    """Of each node its sources and how they reach it, as codes of the model."""
    codes = [code(meaning.kind) for meaning in arrays.meanings]
    before: dict[int, set[tuple[int, int]]] = {node: set() for node in nodes.tolist()}
    side = arrays.incoming
    positions = side.positions(nodes, flow)
    hops = arrays.relation_kind[side.relations[positions]].tolist()
    sources = side.neighbours[positions].tolist()
    for target, source, kind in zip(side.owners(nodes, flow).tolist(), sources, hops, strict=True):
        before[target].add((source, codes[kind]))
    if flow.influence:
        rows = arrays.entity_rows[arrays.node_entity[nodes]].tolist()
        for node, row in zip(nodes.tolist(), rows, strict=True):
            if row >= 0 and row != node:
                before[node].add((row, WRITE_ROWS))
    return before


def _ordered(kinds: set[int]) -> list[Kind]:
    """The kinds of several ways, each once, data flow first."""
    return sorted((KINDS[kind] for kind in kinds), key=lambda kind: (kind.type != FDD, tuple(map(str, kind))))
