"""How far a tag goes: along data flow, level by level, all columns of a level at once.

A column is reached *clear* or *masked*. Data that flows by a relation which hides it, or aggregates it, goes on clear, goes on masked, or
ends, as the tag's handling says; tests (CASE WHEN), windows, filters and joins carry nothing. What is reached clear is not reached masked
as well: the worse counts. Of several ways of the same length the one over the first column counts, so that the answer is always the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headwater.graph.adjacency import DATA, INFLUENCE, LAYERS, ranges
from headwater.graph.files import Arrays, Ints
from headwater.model.kind import FDD, Kind
from headwater.tags.governance import Handling, Treatment

_ORDER = (Treatment.KEEP, Treatment.DOWNGRADE, Treatment.STOP)
_KEEP, _DOWNGRADE, _STOP = range(len(_ORDER))


@dataclass(frozen=True, slots=True)
class Spread:
    """What a tag reaches, nearest first: a row for each column and state, with the row that it was reached from."""

    nodes: Ints
    masked: Ints
    distances: Ints
    before: Ints
    """The row before, -1 where the tag begins."""
    relations: Ints
    """The relation from there, -1 where the tag begins."""
    origins: Ints
    """The node where the tag begins."""
    shown: Ints
    """The rows that count."""

    def way(self, row: int) -> list[int]:
        """The relations that lead to a row, from where the tag begins."""
        found: list[int] = []
        while self.before[row] >= 0:
            found.append(int(self.relations[row]))
            row = int(self.before[row])
        return found[::-1]


@dataclass(frozen=True, slots=True)
class _Level:
    """The rows of a level; a state is a node, or behind all nodes the same one masked."""

    states: Ints
    before: Ints
    relations: Ints


def spread(arrays: Arrays, clear: Ints, masked: Ints, cleared: Ints, handling: Handling) -> Spread:
    """Where a tag gets from columns that have it *clear* or *masked*; it does not get into the *cleared* ones."""
    count = arrays.nodes
    treatments = np.array([_treatment(each.kind, handling) for each in arrays.meanings], dtype=np.int8)
    seen = np.zeros(2 * count, dtype=bool)
    seen[cleared] = seen[cleared + count] = True
    states = np.unique(np.concatenate([clear, masked + count]).astype(np.int64))
    level = _Level(states, np.full(len(states), -1, np.int64), np.full(len(states), -1, np.int64))
    level = _admitted(level, seen, count)
    levels = [level]
    first = 0
    while level.states.size:
        following = _following(arrays, level.states, treatments, seen, first)
        first += len(level.states)
        level = _admitted(following, seen, count)
        levels.append(level)
    states = np.concatenate([each.states for each in levels])
    before = np.concatenate([each.before for each in levels])
    return Spread(
        nodes=states % max(count, 1),
        masked=states >= count,
        distances=np.repeat(np.arange(len(levels)), [len(each.states) for each in levels]),
        before=before,
        relations=np.concatenate([each.relations for each in levels]),
        origins=_origins(states % max(count, 1), before, [len(each.states) for each in levels]),
        shown=np.flatnonzero((states < count) | ~seen[states % max(count, 1)]),
    )


def _origins(nodes: Ints, before: Ints, sizes: list[int]) -> Ints:
    """Where the way to each row begins: where that to the row before it does, level by level."""
    found = nodes.copy()
    first = sizes[0]
    for size in sizes[1:]:
        found[first : first + size] = found[before[first : first + size]]
        first += size
    return found


def _treatment(kind: Kind, handling: Handling) -> int:
    """What becomes of a tag by a relation of a kind: the strictest of what its handling says."""
    if kind.type != FDD or not kind.direct:
        return _STOP
    masked = handling.masked if kind.masking else Treatment.KEEP
    aggregated = handling.aggregated if kind.subtype == "AGGREGATION" else Treatment.KEEP
    return max(_ORDER.index(masked), _ORDER.index(aggregated))


def _following(arrays: Arrays, states: Ints, treatments: Ints, seen: Ints, first: int) -> _Level:
    """All states next to some, whose rows begin with *first*, in the order in which they are to count."""
    count, side = arrays.nodes, arrays.outgoing
    nodes = states % count
    starts = side.bounds.take(nodes * LAYERS + DATA)
    stops = side.bounds.take(nodes * LAYERS + INFLUENCE)
    positions = ranges(starts, stops)
    owners = np.repeat(np.arange(len(states)), stops - starts)
    relations = side.relations[positions]
    treated = treatments[arrays.relation_kind[relations]] if len(treatments) else np.empty(0, np.int8)
    hidden = (states[owners] >= count) | (treated == _DOWNGRADE)
    reached = side.neighbours[positions] + count * hidden
    kept = np.flatnonzero((treated != _STOP) & ~seen[reached])
    reached, owners, relations = reached[kept], owners[kept], relations[kept]
    order = np.lexsort((arrays.relation_id[relations], nodes[owners], reached))
    return _Level(reached[order], owners[order] + first, relations[order])


def _admitted(level: _Level, seen: Ints, count: int) -> _Level:
    """The rows of a level that are new, each state once; one that is masked only if it is not reached clear."""
    states = level.states
    fresh = ~seen[states]
    if len(states):
        fresh[1:] &= states[1:] != states[:-1]
    seen[states[fresh & (states < count)]] = True
    fresh &= (states < count) | ~seen[states % max(count, 1)]
    seen[states[fresh]] = True
    return _Level(states[fresh], level.before[fresh], level.relations[fresh])
