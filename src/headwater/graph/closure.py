"""What can be reached: level by level along one side of the graph, all nodes of a level at once.

A column belongs to the row set of its entity. Where influence is followed, a way leads from a row set to the columns of its entity at no
distance: what decides over the rows of a table is as near to each of its columns as what makes that column.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headwater.graph.adjacency import Adjacency, Flow, ranges
from headwater.graph.files import ROW_SET, Arrays, Ints
from headwater.model.string_enum import StrEnum


class Direction(StrEnum):
    """Which way a question looks."""

    UPSTREAM = "upstream"
    DOWNSTREAM = "downstream"


@dataclass(frozen=True, slots=True)
class Reach:
    """What was reached: nodes, nearest first, and how far each is."""

    nodes: Ints
    distances: Ints

    def within(self, depth: int | None) -> Ints:
        """The nodes whose own relations were followed."""
        return self.nodes if depth is None else self.nodes[self.distances < depth]


def side(arrays: Arrays, direction: Direction) -> Adjacency:
    """The relations that lead in a direction."""
    return arrays.incoming if direction is Direction.UPSTREAM else arrays.outgoing


def closure(arrays: Arrays, start: Ints, direction: Direction, flow: Flow, depth: int | None = None) -> Reach:
    """All that can be reached from some nodes, these included, in at most *depth* hops."""
    walk = Walk(arrays, start, direction, flow)
    while walk.goes_on and (depth is None or walk.hops < depth):
        walk.step()
    return walk.reach()


class Walk:
    """A closure that is taken hop by hop; *within* some nodes only, which are sorted, if these are given."""

    def __init__(
        self, arrays: Arrays, start: Ints, direction: Direction, flow: Flow, within: Ints | None = None
    ) -> None:
        self._arrays = arrays
        self._direction = direction
        self._flow = flow
        self._within = within
        self._side = side(arrays, direction)
        self._seen = np.zeros(arrays.nodes, dtype=np.int32)
        self._levels = [self._level(start)]

    @property
    def goes_on(self) -> bool:
        """Whether the last hop led to something new."""
        return bool(self._levels[-1].size)

    @property
    def hops(self) -> int:
        """How many hops were taken."""
        return len(self._levels) - 1

    @property
    def frontier(self) -> int:
        """How many nodes the last hop led to."""
        return len(self._levels[-1])

    def step(self) -> None:
        """Take a hop."""
        positions = self._side.positions(self._levels[-1], self._flow)
        self._levels.append(self._level(self._side.neighbours.take(positions)))

    def reach(self) -> Reach:
        """What was reached so far."""
        distances = np.repeat(np.arange(len(self._levels), dtype=np.int32), [len(level) for level in self._levels])
        return Reach(np.concatenate(self._levels), distances)

    def _level(self, reached: Ints) -> Ints:
        """The nodes of a level that are new, with what belongs to them."""
        fresh = admit(self._seen, self._inside(reached))
        if not (self._flow.influence and fresh.size):
            return fresh
        own = self._inside(belonging(self._arrays, fresh, self._direction))
        return np.concatenate([fresh, admit(self._seen, own)])

    def _inside(self, nodes: Ints) -> Ints:
        return nodes if self._within is None else nodes[among(nodes, self._within)]


def among(values: Ints, known: Ints) -> Ints:
    """Of each value whether it is one of the known ones, which are sorted."""
    if not known.size:
        return np.zeros(len(values), dtype=bool)
    at = np.minimum(np.searchsorted(known, values), len(known) - 1)
    found: Ints = known[at] == values
    return found


def admit(seen: Ints, nodes: Ints) -> Ints:
    """Those of the nodes that were not seen before, each once: every one writes its own number, and whose number stays is kept."""
    new = nodes[seen.take(nodes) == 0].astype(np.intp)
    marks = np.arange(1, len(new) + 1, dtype=np.int32)
    seen[new] = marks
    kept: Ints = new[seen.take(new) == marks]
    return kept


def belonging(arrays: Arrays, nodes: Ints, direction: Direction) -> Ints:
    """What belongs to these nodes: upstream the row sets of columns, downstream the columns of row sets."""
    if direction is Direction.UPSTREAM:
        rows = arrays.entity_rows[arrays.node_entity[nodes]]
        return rows[rows >= 0]
    entities = arrays.node_entity[nodes[arrays.node_flags[nodes] & ROW_SET != 0]]
    return ranges(arrays.entity_start[entities], arrays.entity_start[entities + 1])
