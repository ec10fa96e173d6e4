"""The ways between two columns: all of them as one part of the graph, and the first few spelled out.

A column lies on a way if it is downstream of the one end and upstream of the other. Ways that visit no column twice are spelled out
shortest first; every step is towards the other end, so that without circles none is in vain.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from headwater.graph.adjacency import Flow
from headwater.graph.closure import Direction, Reach, Walk, among, belonging
from headwater.graph.files import ROW_SET, Arrays, Ints
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


class Paths:
    """The ways between two columns; what nobody looks at is not made."""

    def __init__(
        self, arrays: Arrays, records: Records, source: Column, target: Column, flow: Flow, limit: int
    ) -> None:
        self.source = source
        self.target = target
        self._records = records
        self._between, left = _between(arrays, source.node, target.node, flow)
        self._hops = _Hops(arrays, records, self._between, flow)
        search = _Search(self._hops.after, self._hops.left(left), target.node)
        found = list(search.first(source.node, limit)) if self._between.size else []
        self.first = tuple(self._hops.path(way) for way in found)
        """The first few ways, shortest first."""
        self.complete = search.complete
        """Whether these are all."""

    @property
    def count(self) -> int:
        """How many columns lie on some way, both ends included."""
        return len(self._between)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """All columns that lie on some way, both ends included; empty if there is no way."""
        return tuple(self._records.columns(self._between.tolist()))

    @cached_property
    def hops(self) -> tuple[Hop, ...]:
        """All relations between these."""
        return tuple(self._hops.all())


def paths(arrays: Arrays, records: Records, source: Column, target: Column, flow: Flow, limit: int) -> Paths:
    """The ways from a column to another."""
    return Paths(arrays, records, source, target, flow, limit)


def _between(arrays: Arrays, source: int, target: int, flow: Flow) -> tuple[Ints, Ints]:
    """The nodes that lie on some way, sorted, and how far each is from the target.

    Both ends are gone from, always on the side where less was reached, until one side has come to its end: the other one is then followed
    inside of that only. A way from what everything is made of to some report costs what the report is made of.
    """
    down = Walk(arrays, np.array([source]), Direction.DOWNSTREAM, flow)
    up = Walk(arrays, np.array([target]), Direction.UPSTREAM, flow)
    while down.goes_on and up.goes_on:
        min(down, up, key=lambda walk: walk.frontier).step()
    if down.goes_on:
        above = up.reach()
        order = np.argsort(above.nodes)
        known, distances = above.nodes[order], above.distances[order]
        below = _whole(Walk(arrays, np.array([source]), Direction.DOWNSTREAM, flow, known))
        nodes = np.sort(below.nodes)
        return nodes, distances[np.searchsorted(known, nodes)]
    found = _whole(Walk(arrays, np.array([target]), Direction.UPSTREAM, flow, np.sort(down.reach().nodes)))
    order = np.argsort(found.nodes)
    return found.nodes[order], found.distances[order]


def _whole(walk: Walk) -> Reach:
    while walk.goes_on:
        walk.step()
    return walk.reach()


class _Hops:
    """The relations between some nodes, which are sorted; found when somebody asks."""

    def __init__(self, arrays: Arrays, records: Records, nodes: Ints, flow: Flow) -> None:
        self._arrays = arrays
        self._records = records
        self._nodes = nodes
        self._flow = flow
        self._known: dict[int, dict[int, list[int]]] = {}
        self._steps: dict[tuple[int, int], tuple[Hop, ...]] = {}
        self._columns: dict[int, Column] = {}

    def after(self, node: int) -> dict[int, list[int]]:
        """What comes after a node, and by which relations; by none, if it is the row set of what comes after it."""
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = self._found(node)
        return found

    def _found(self, node: int) -> dict[int, list[int]]:
        out = self._arrays.outgoing
        positions = out.positions(np.array([node]), self._flow)
        targets = out.neighbours[positions]
        inside = np.flatnonzero(among(targets, self._nodes))
        found: dict[int, list[int]] = {}
        for other, relation in zip(targets[inside].tolist(), out.relations[positions[inside]].tolist(), strict=True):
            found.setdefault(other, []).append(relation)
        if self._flow.influence and self._arrays.node_flags[node] & ROW_SET:
            own = belonging(self._arrays, np.array([node]), Direction.DOWNSTREAM)
            for other in own[among(own, self._nodes)].tolist():
                if other != node:
                    found.setdefault(other, [])
        return found

    def left(self, distances: Ints) -> Callable[[int], int]:
        """How far each of the nodes is from the end, by what is known of all of them."""
        return lambda node: int(distances[np.searchsorted(self._nodes, node)])

    def all(self) -> Iterator[Hop]:
        """Every hop, by source and target."""
        for own in self._nodes.tolist():
            for other in sorted(self.after(own)):
                yield from self.step(own, other)

    def step(self, own: int, other: int) -> tuple[Hop, ...]:
        """The hops from a node to the next."""
        found = self._steps.get((own, other))
        if found is None:
            found = self._steps[own, other] = self._step(own, other)
        return found

    def _step(self, own: int, other: int) -> tuple[Hop, ...]:
        relations = self.after(own)[other]
        if not relations:
            return (self._records.belonging(own, other),)
        hops = self._records.hops(np.array(relations))
        return tuple(sorted(hops, key=lambda hop: (hop.kind.type, hop.expression, str(hop.place))))

    def path(self, way: tuple[int, ...]) -> Path:
        """A way, spelled out."""
        for column in self._records.columns([node for node in way if node not in self._columns]):
            self._columns[column.node] = column
        return Path(tuple(self._columns[node] for node in way), tuple(self.step(a, b) for a, b in pairwise(way)))


class _Search:
    """Ways from one node to another, shortest first: the best known start is made longer by one step at a time."""

    def __init__(self, after: Callable[[int], dict[int, list[int]]], left: Callable[[int], int], target: int) -> None:
        self._after = after
        self._left = left
        self._target = target
        self.complete = True

    def first(self, source: int, limit: int) -> Iterator[tuple[int, ...]]:
        """The first ways; `complete` says afterwards whether there are more."""
        pending: list[tuple[int, int, tuple[int, ...], int]] = [(self._left(source), 0, (source,), 0)]
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
            for other, relations in self._after(way[-1]).items():
                if other not in way:
                    hops = done + bool(relations)
                    heapq.heappush(pending, (hops + self._left(other), -len(way), (*way, other), hops))
        else:
            self.complete = not pending
            return
        self.complete = False
