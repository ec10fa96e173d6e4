"""The ways between two columns: all of them as one part of the graph, and the first few spelled out.

A column lies on a way if it is downstream of the one end and upstream of the other. Ways that visit no column twice are spelled out
shortest first; every step is towards the other end, so that without circles none is in vain.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from headwater.graph.adjacency import Flow
from headwater.graph.closure import Direction, closure
from headwater.graph.files import Arrays, Ints
from headwater.graph.records import Column, Hop, Records

_PATIENCE = 200_000
"""Steps after which the search for more ways is given up: circles can make a great many vain ones."""


@dataclass(frozen=True, slots=True)
class Path:
    """One way: its columns, and for each step the relations that make it."""

    columns: tuple[Column, ...]
    steps: tuple[tuple[Hop, ...], ...]

    def __len__(self) -> int:
        return sum(any(hop.process is not None for hop in step) for step in self.steps)


@dataclass(frozen=True, slots=True)
class Paths:
    """The ways between two columns."""

    source: Column
    target: Column
    columns: tuple[Column, ...]
    """All columns that lie on some way, both ends included; empty if there is no way."""
    hops: tuple[Hop, ...]
    """All relations between these."""
    first: tuple[Path, ...]
    """The first few ways, shortest first."""
    complete: bool
    """Whether these are all."""


def paths(arrays: Arrays, records: Records, source: Column, target: Column, flow: Flow, limit: int) -> Paths:
    """The ways from a column to another."""
    down = closure(arrays, np.array([source.node]), Direction.DOWNSTREAM, flow)
    up = closure(arrays, np.array([target.node]), Direction.UPSTREAM, flow)
    between = np.intersect1d(down.nodes, up.nodes)
    if not between.size:
        return Paths(source, target, (), (), (), True)
    hops = _Hops(arrays, records, between, flow)
    search = _Search(hops.after, dict(zip(up.nodes.tolist(), up.distances.tolist(), strict=True)), target.node)
    found = list(search.first(source.node, limit))
    return Paths(
        source=source,
        target=target,
        columns=tuple(records.column(node) for node in between.tolist()),
        hops=tuple(hops.all()),
        first=tuple(hops.path(way) for way in found),
        complete=search.complete,
    )


class _Hops:
    """The relations between some nodes."""

    def __init__(self, arrays: Arrays, records: Records, nodes: Ints, flow: Flow) -> None:
        self._records = records
        self.after: dict[int, dict[int, list[int]]] = {node: {} for node in nodes.tolist()}
        out = arrays.outgoing
        positions = out.positions(nodes, flow)
        targets, relations = out.neighbours[positions].tolist(), out.relations[positions].tolist()
        for own, other, relation in zip(out.owners(nodes, flow).tolist(), targets, relations, strict=True):
            if other in self.after:
                self.after[own].setdefault(other, []).append(relation)
        if flow.influence:
            rows = arrays.entity_rows[arrays.node_entity[nodes]].tolist()
            for node, row in zip(nodes.tolist(), rows, strict=True):
                if row != node and row in self.after:
                    self.after[row].setdefault(node, [])

    def all(self) -> Iterator[Hop]:
        """Every hop, by source and target."""
        for own, others in self.after.items():
            for other in sorted(others):
                yield from self.step(own, other)

    def step(self, own: int, other: int) -> tuple[Hop, ...]:
        """The hops from a node to the next."""
        relations = self.after[own][other]
        if not relations:
            return (self._records.belonging(own, other),)
        hops = [self._records.hop(relation) for relation in relations]
        return tuple(sorted(hops, key=lambda hop: (hop.kind.type, hop.expression, str(hop.place))))

    def path(self, way: tuple[int, ...]) -> Path:
        """A way, spelled out."""
        columns = tuple(self._records.column(node) for node in way)
        return Path(columns, tuple(self.step(a, b) for a, b in pairwise(way)))


class _Search:
    """Ways from one node to another, shortest first: the best known start is made longer by one step at a time."""

    def __init__(self, after: dict[int, dict[int, list[int]]], left: dict[int, int], target: int) -> None:
        self._after = after
        self._left = left
        self._target = target
        self.complete = True

    def first(self, source: int, limit: int) -> Iterator[tuple[int, ...]]:
        """The first ways; `complete` says afterwards whether there are more."""
        pending: list[tuple[int, int, tuple[int, ...], int]] = [(self._left[source], 0, (source,), 0)]
        found, patience = 0, _PATIENCE
        while pending and patience:
            _, _, way, done = heapq.heappop(pending)
            patience -= 1
            if way[-1] == self._target:
                if found == limit:
                    break
                found += 1
                yield way
                continue
            for other, relations in self._after[way[-1]].items():
                if other not in way:
                    hops = done + bool(relations)
                    heapq.heappush(pending, (hops + self._left[other], -len(way), (*way, other), hops))
        else:
            self.complete = not pending
            return
        self.complete = False
