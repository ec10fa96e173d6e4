"""The columns of a graph in an order in which data flows one way: circles taken together, and each as deep as its longest way from a start.

Nodes are peeled off level by level, all of a level at once. What is left then stands on circles or behind them; it is peeled from the
other side too, and only the core that remains is searched for circles. Everything is arrays over nodes: no relation is copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from headwater.graph.adjacency import Adjacency, Flow, ranges
from headwater.graph.circles import circles
from headwater.graph.files import Arrays, Ints

DATA_FLOW = Flow()


@dataclass(frozen=True, slots=True)
class Levels:
    """The groups of a graph (a circle's nodes are one group, any other node is one by itself), and how deep they are."""

    group: Ints
    """Of each node its group."""
    members: Ints
    """The nodes, group by group, and in order in each."""
    starts: Ints
    """Where each group begins in `members`."""
    depth: Ints
    """Of each group, how many hops its longest way from a start has; a circle is passed in no hops."""

    def nodes(self, groups: Ints) -> Ints:
        """The nodes of some groups."""
        return self.members[ranges(self.starts[groups], self.starts[groups + 1])]

    def by_depth(self) -> Iterator[Ints]:
        """The groups, one level at a time, those at the starts first."""
        order = np.argsort(self.depth, kind="stable")
        bounds = np.searchsorted(self.depth[order], np.arange(int(self.depth.max(initial=-1)) + 2))
        return (order[first:last] for first, last in pairwise(bounds))

    def circles(self) -> Ints:
        """The sizes of the circles, the greatest first."""
        sizes = np.diff(self.starts)
        return np.sort(sizes[sizes > 1])[::-1]


def levels(arrays: Arrays) -> Levels:
    """The levels of a graph's data flow."""
    alone = _grouped(np.arange(arrays.nodes, dtype=np.int32))
    depth, left = _peeled(arrays.incoming, arrays.outgoing, alone, np.ones(arrays.nodes, dtype=bool))
    if not left.any():
        return Levels(*alone, depth)
    core = _peeled(arrays.outgoing, arrays.incoming, alone, left)[1]
    together = _grouped(_circled(arrays, core))
    everything = np.ones(len(together[2]) - 1, dtype=bool)
    return Levels(*together, _peeled(arrays.incoming, arrays.outgoing, together, everything)[0])


Groups = tuple[Ints, Ints, Ints]
"""Of each node its group; the nodes by group; where each group begins among them."""


def _grouped(group: Ints) -> Groups:
    starts = np.concatenate([[0], np.cumsum(np.bincount(group))]) if len(group) else np.zeros(1, np.int64)
    return group, np.argsort(group, kind="stable"), starts


def _peeled(behind: Adjacency, ahead: Adjacency, groups: Groups, among: Ints) -> tuple[Ints, Ints]:
    """How deep each of some groups is, going ahead from those with none of them behind; and which of them are never reached."""
    group, members, starts = groups
    waiting = _behind(behind, group, among)
    depth = np.zeros(len(starts) - 1, dtype=np.int32)
    left = among.copy()
    frontier, level = np.flatnonzero(among & (waiting == 0)), 0
    while frontier.size:
        depth[frontier], left[frontier] = level, False
        nodes = members[ranges(starts[frontier], starts[frontier + 1])]
        own = group[ahead.owners(nodes, DATA_FLOW)]
        other = group[ahead.neighbours[ahead.positions(nodes, DATA_FLOW)]]
        reached, times = np.unique(other[(own != other) & among[other]], return_counts=True)
        waiting[reached] -= times
        frontier, level = reached[waiting[reached] == 0], level + 1
    return depth, left


_NODES = 200_000
"""Nodes whose relations are counted together."""


def _behind(behind: Adjacency, group: Ints, among: Ints) -> Ints:
    """How many relations lead to each group from others, among some groups."""
    waiting = np.zeros(len(among), dtype=np.int64)
    for first in range(0, len(group), _NODES):
        nodes = np.arange(first, min(first + _NODES, len(group)))
        own = group[behind.owners(nodes, DATA_FLOW)]
        other = group[behind.neighbours[behind.positions(nodes, DATA_FLOW)]]
        waiting += np.bincount(own[(own != other) & among[other]], minlength=len(among))
    return waiting


def _circled(arrays: Arrays, core: Ints) -> Ints:
    """Of each node its group's number, where the nodes of a circle are one group; circles lie in the core."""
    first = np.arange(arrays.nodes, dtype=np.int32)
    for circle in circles(_After(arrays.outgoing, core)):
        nodes = sorted(circle)
        first[nodes] = nodes[0]
    numbers: Ints = np.cumsum(first == np.arange(arrays.nodes)) - 1
    return numbers[first].astype(np.int32)


class _After(Mapping[int, list[int]]):
    """What comes after each node of a core, looked up when it is asked for."""

    def __init__(self, ahead: Adjacency, core: Ints) -> None:
        self._ahead = ahead
        self._core = core
        self._nodes = np.flatnonzero(core)

    def __getitem__(self, node: int) -> list[int]:
        found = self._ahead.neighbours[self._ahead.positions(np.array([node]), DATA_FLOW)]
        following: list[int] = found[self._core[found]].tolist()
        return following

    def __iter__(self) -> Iterator[int]:
        return iter(self._nodes.tolist())

    def __len__(self) -> int:
        return len(self._nodes)
