"""What can be reached: level by level along one side of the graph, all nodes of a level at once.

A column belongs to the row set of its entity. Where influence is followed, a way leads from a row set to the columns of its entity at no
distance: what decides over the rows of a table is as near to each of its columns as what makes that column.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from headwater.graph.adjacency import Adjacency, Flow, ranges
from headwater.graph.files import ROW_SET, Arrays, Ints


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
    neighbours = side(arrays, direction)
    seen = np.zeros(arrays.nodes, dtype=np.int32)
    frontier = _level(arrays, seen, start, direction, flow)
    levels = [frontier]
    while frontier.size and (depth is None or len(levels) <= depth):
        reached = neighbours.neighbours.take(neighbours.positions(frontier, flow))
        frontier = _level(arrays, seen, reached, direction, flow)
        levels.append(frontier)
    distances = np.repeat(np.arange(len(levels), dtype=np.int32), [len(level) for level in levels])
    return Reach(np.concatenate(levels), distances)


def _level(arrays: Arrays, seen: Ints, reached: Ints, direction: Direction, flow: Flow) -> Ints:
    """The nodes of a level that are new, with what belongs to them."""
    fresh = admit(seen, reached)
    if not (flow.influence and fresh.size):
        return fresh
    return np.concatenate([fresh, admit(seen, belonging(arrays, fresh, direction))])


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
