"""Where ways end: nodes behind which nothing follows; of a circle that nothing follows, all of its nodes."""

from __future__ import annotations

import numpy as np

from headwater.graph.adjacency import Flow, sides
from headwater.graph.circles import circles
from headwater.graph.closure import Direction, admit, belonging, side
from headwater.graph.files import Arrays, Ints


def ends(arrays: Arrays, nodes: Ints, direction: Direction, flow: Flow) -> Ints:
    """The ends among nodes that are closed in a direction: all that can be reached from them is among them."""
    nodes = np.sort(nodes)
    own, other = (np.searchsorted(nodes, side) for side in _hops(arrays, nodes, direction, flow))
    going = own != other
    own, other = own[going], other[going]
    last = np.ones(len(nodes), dtype=bool)
    last[own] = False
    circling = _leading_nowhere(np.flatnonzero(last), own, other, len(nodes))
    inside = circling[own]
    last[_last_circles(np.flatnonzero(circling), own[inside], other[inside])] = True
    return nodes[last]


def _hops(arrays: Arrays, nodes: Ints, direction: Direction, flow: Flow) -> tuple[Ints, Ints]:
    """All hops from these nodes in a direction: from and to.

    With influence also those between row sets and columns; a row set that nothing decides over is not behind its columns.
    """
    adjacency = side(arrays, direction)
    own, other = adjacency.owners(nodes, flow), adjacency.neighbours[adjacency.positions(nodes, flow)]
    if not flow.influence:
        return own, other
    if direction is Direction.UPSTREAM:
        rows = arrays.entity_rows[arrays.node_entity[nodes]]
        decided = np.isin(rows, own[own != other])
        return np.concatenate([own, nodes[decided]]), np.concatenate([other, rows[decided]])
    columns = belonging(arrays, nodes, direction)
    return np.concatenate([own, arrays.entity_rows[arrays.node_entity[columns]]]), np.concatenate([other, columns])


def _leading_nowhere(last: Ints, own: Ints, other: Ints, count: int) -> Ints:
    """Which of the nodes lead to none of the last ones."""
    back, _ = sides(count, own, other, np.zeros(len(own), dtype=np.int64))
    seen = np.zeros(count, dtype=np.int32)
    frontier = admit(seen, last)
    while frontier.size:
        frontier = admit(seen, back.neighbours[back.positions(frontier, Flow())])
    nowhere: Ints = seen == 0
    return nowhere


def _last_circles(nodes: Ints, own: Ints, other: Ints) -> list[int]:
    """The nodes of circles that lead to no other circle."""
    after: dict[int, list[int]] = {node: [] for node in nodes.tolist()}
    for a, b in zip(own.tolist(), other.tolist(), strict=True):
        after[a].append(b)
    return [
        node for circle in circles(after) for node in circle if all(b in circle for each in circle for b in after[each])
    ]
