"""Who is next to whom: for each node the relations on one side of it, as ranges of one long array.

The neighbours of a node stand in three layers, one behind the other: those that data flows through, those of influence, and the keys
that are referenced. `bounds` has where each layer of each node begins, so that a layer is a range and nothing has to be filtered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[Any]

DATA, INFLUENCE, KEYS = 0, 1, 2
LAYERS = 3


@dataclass(frozen=True, slots=True)
class Flow:
    """Which relations are followed: data flow always; influence, and referenced keys, if asked for."""

    influence: bool = False
    keys: bool = False

    @property
    def runs(self) -> tuple[tuple[int, int], ...]:
        """The layers, as ranges of neighbouring ones."""
        if self.influence:
            return ((DATA, LAYERS if self.keys else KEYS),)
        return ((DATA, INFLUENCE), (KEYS, LAYERS)) if self.keys else ((DATA, INFLUENCE),)


@dataclass(frozen=True, slots=True)
class Adjacency:
    """One side of all nodes: the sources of each, or the targets."""

    bounds: Ints
    neighbours: Ints
    """Of one node and layer in order of their numbers."""
    relations: Ints
    """The relation to each neighbour; between tables, how many there are."""

    def positions(self, nodes: Ints, flow: Flow) -> Ints:
        """Where the followed relations of these nodes stand in `neighbours` and `relations`."""
        base = nodes.astype(np.int64) * LAYERS
        found = [ranges(self.bounds.take(base + first), self.bounds.take(base + last)) for first, last in flow.runs]
        return found[0] if len(found) == 1 else np.concatenate(found)

    def owners(self, nodes: Ints, flow: Flow) -> Ints:
        """For each of `positions`, the node whose relation it is."""
        base = nodes.astype(np.int64) * LAYERS
        found = [np.repeat(nodes, self.bounds[base + last] - self.bounds[base + first]) for first, last in flow.runs]
        return found[0] if len(found) == 1 else np.concatenate(found)


def ranges(starts: Ints, stops: Ints) -> Ints:
    """All the numbers from each start up to its stop, one range behind the other.

    >>> ranges(np.array([3, 10]), np.array([5, 11])).tolist()
    [3, 4, 10]
    """
    counts = stops - starts
    ends = np.cumsum(counts, dtype=np.int64)
    found = np.repeat(starts - (ends - counts), counts)
    found += np.arange(len(found), dtype=np.int64)
    return found


def between_tables(tables: int, sources: Ints, targets: Ints, layers: Ints) -> tuple[Adjacency, Adjacency]:
    """The sides of tables, from the ends of all relations as tables: each pair once, in the first layer that it has relations in."""
    others = sources != targets
    packed = (sources[others].astype(np.int64) * tables + targets[others]) * LAYERS + layers[others]
    packed.sort()
    pairs = packed // LAYERS
    first = np.flatnonzero(np.diff(pairs, prepend=-1))
    counts = np.diff(first, append=len(pairs)).astype(np.int32)
    source, target = np.divmod(pairs[first], max(tables, 1))
    found = sides(tables, source.astype(np.int32), target.astype(np.int32), packed[first] % LAYERS)
    incoming, outgoing = (Adjacency(each.bounds, each.neighbours, counts[each.relations]) for each in found)
    return incoming, outgoing


def sides(nodes: int, sources: Ints, targets: Ints, layers: Ints) -> Iterator[Adjacency]:
    """The incoming and the outgoing side of relations that are given by their ends and layers, one after the other."""
    yield _side(nodes, targets, sources, layers)
    yield _side(nodes, sources, targets, layers)


def _side(nodes: int, own: Ints, other: Ints, layers: Ints) -> Adjacency:
    slots = own.astype(np.int64) * LAYERS + layers
    bounds = np.zeros(nodes * LAYERS + 1, dtype=np.int64)
    np.cumsum(np.bincount(slots, minlength=nodes * LAYERS), out=bounds[1:])
    slots *= max(nodes, 1)
    slots += other
    order = np.argsort(slots, kind="stable").astype(np.int32)
    return Adjacency(bounds.astype(np.int32), other[order], order)
