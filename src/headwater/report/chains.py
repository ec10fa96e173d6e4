"""The largest chains: the longest ways that data takes, and the columns that the most others are behind or before.

How many columns lie behind each column cannot be counted for all of them: that is a closure for each. So it is estimated for all, from
the least of random numbers that flow along with the data (Cohen, 1997), in a few passes over the graph; for those that seem to have the
most, it is counted. The random numbers are the same each time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headwater.graph.adjacency import Adjacency
from headwater.graph.closure import Direction, closure, side
from headwater.graph.files import Ints
from headwater.graph.records import Column, Hop
from headwater.report.levels import DATA_FLOW, Levels, levels
from headwater.report.subject import Subject

_PASSES = 12
_COUNTED = 4
"""How many times as many closures are counted as are shown."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A longest way to a column: hops in the order in which data flows."""

    end: Column
    length: int
    hops: tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class Width:
    """How many columns, and of how many tables, a column comes from or goes to."""

    column: Column
    columns: int
    tables: int


@dataclass(frozen=True, slots=True)
class Chains:
    """How far and how wide data flows."""

    depths: tuple[int, ...]
    """How many columns are 0, 1, 2, … hops from the farthest start."""
    longest: tuple[Chain, ...]
    """No table is in two of them."""
    upstream: tuple[Width, ...]
    downstream: tuple[Width, ...]
    """The columns that come from, or go to, the most others; one of each table."""
    circles: int
    greatest_circle: int


def longest_chain(subject: Subject) -> int:
    """How many hops the longest chain has."""
    found = levels(subject.arrays)
    return int(found.depth[found.group[subject.nodes]].max(initial=0))


def chains(subject: Subject, top: int) -> Chains:
    """Find the largest chains among columns."""
    found = levels(subject.arrays)
    circles = found.circles()
    depth = found.depth[found.group]
    return Chains(
        depths=tuple(np.bincount(depth[subject.nodes]).tolist()),
        longest=_longest(subject, found, depth, top),
        upstream=_widest(subject, found, Direction.UPSTREAM, top),
        downstream=_widest(subject, found, Direction.DOWNSTREAM, top),
        circles=len(circles),
        greatest_circle=int(circles[0]) if len(circles) else 0,
    )


def _longest(subject: Subject, found: Levels, depth: Ints, top: int) -> tuple[Chain, ...]:
    """The longest chains, each through other tables than those before it."""
    arrays = subject.arrays
    remaining = np.where(subject.nodes, depth, 0)
    chosen: list[Chain] = []
    while len(chosen) < top and remaining.max(initial=0) > 0:
        end = int(remaining.argmax())
        relations = _way_to(subject, found, end)
        hops = tuple(subject.records.hop(relation) for relation in relations)
        chosen.append(Chain(subject.records.column(end), int(depth[end]), hops))
        through = np.zeros(len(arrays.entity_rows), dtype=bool)
        through[arrays.node_entity[[end, *arrays.relation_source[relations].tolist()]]] = True
        remaining[through[arrays.node_entity]] = 0
    return tuple(chosen)


def _way_to(subject: Subject, found: Levels, end: int) -> list[int]:
    """The relations of a longest way to a node, in the order in which data flows; inside of circles there are none."""
    side = subject.arrays.incoming
    way: list[int] = []
    group = int(found.group[end])
    while found.depth[group] > 0:
        positions = side.positions(found.nodes(np.array([group])), DATA_FLOW)
        groups = found.group[side.neighbours[positions]]
        before = np.flatnonzero(found.depth[groups] == found.depth[group] - 1)
        before = before[side.neighbours[positions[before]] == side.neighbours[positions[before]].min()]
        relations = side.relations[positions[before]]
        way.append(int(relations[subject.arrays.relation_id[relations].argmin()]))
        group = int(groups[before[0]])
    return way[::-1]


def _widest(subject: Subject, found: Levels, direction: Direction, top: int) -> tuple[Width, ...]:
    """The columns with the widest closures in a direction, one of each table."""
    estimate = np.where(subject.nodes, _estimated(subject, found, direction)[found.group], 0.0)
    chosen = _best_of_each_table(subject, estimate, top * _COUNTED)
    widths = [_width(subject, node, direction) for node in chosen.tolist()]
    ordered = sorted((w for w in widths if w.columns), key=lambda w: (-w.columns, -w.tables, w.column.node))
    return tuple(ordered[:top])


def _best_of_each_table(subject: Subject, estimate: Ints, count: int) -> Ints:
    order = np.lexsort((np.arange(len(estimate)), -estimate))
    order = order[estimate[order] > 0]
    first = np.unique(subject.arrays.node_entity[order], return_index=True)[1]
    return order[np.sort(first)[:count]]


def _width(subject: Subject, node: int, direction: Direction) -> Width:
    reached = closure(subject.arrays, np.array([node]), direction, DATA_FLOW).nodes[1:]
    real = reached[subject.real[reached]]
    tables = np.unique(subject.arrays.node_entity[real])
    others = np.count_nonzero(tables != subject.arrays.node_entity[node])
    return Width(subject.records.column(node), len(real), int(others))


def _estimated(subject: Subject, found: Levels, direction: Direction) -> Ints:
    """About how many nodes each group reaches in a direction."""
    draw = np.random.default_rng(0)
    starts = found.starts[:-1]
    numbers = (draw.standard_exponential(subject.arrays.nodes, dtype=np.float32) for _ in range(_PASSES))
    least = [np.minimum.reduceat(each[found.members], starts) for each in numbers] if len(starts) else []
    order = list(found.by_depth())
    for groups in order if direction is Direction.UPSTREAM else order[::-1]:
        _flow(side(subject.arrays, direction), found, groups, least)
    total = np.zeros(len(starts), dtype=np.float64)
    for each in least:
        total += each
    return (_PASSES - 1) / total


def _flow(adjacency: Adjacency, found: Levels, groups: Ints, least: list[Ints]) -> None:
    """Let the least numbers of what lies next to some groups flow into these."""
    nodes = found.nodes(groups)
    own = found.group[adjacency.owners(nodes, DATA_FLOW)]
    if not own.size:
        return
    other = found.group[adjacency.neighbours[adjacency.positions(nodes, DATA_FLOW)]]
    begins = np.flatnonzero(np.concatenate([[True], own[1:] != own[:-1]]))
    into = own[begins]
    for each in least:
        each[into] = np.minimum(each[into], np.minimum.reduceat(each[other], begins))
