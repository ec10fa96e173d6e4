"""Units in an order in which tables are defined before they are used, and in tasks.

A unit's level is above those of all that it needs; where units need each other in a circle, the circle is opened at its smallest id. A
stage is a level, or several small ones in a row; its tasks need only what earlier stages made, or the task itself: in a stage of several
levels, units that hang together are in one task.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headwater.pipeline.task_files import BEFORE
from headwater.pipeline.units import Flags, Ids

Numbers = npt.NDArray[np.int32]

_FEW = 400
"""Units of a level below which it is joined with the levels after it."""
_MOST = 1_000
"""Units in a task, at most: small enough that a slow one does not hold the others."""
_LEAST = 100
"""Units in a task that are worth its start."""


@dataclass(frozen=True, slots=True)
class Order:
    """The level and the task of each unit, if it has one; and the stages, as ranges of tasks."""

    levels: Numbers
    tasks: Numbers
    stages: tuple[range, ...]
    circles: Ids
    """Units at which circles were opened."""


def order(user: Ids, definer: Ids, wanted: Flags, cores: int) -> Order:
    """The order of units of which some need others; only those that are *wanted* have a task."""
    levels, circles = _levels(len(wanted), definer, user)
    tasks = np.full(len(wanted), BEFORE, np.int32)
    stages: list[range] = []
    made = 0
    for low, high in _stages(levels[wanted]):
        members = np.flatnonzero((levels >= low) & (levels <= high) & wanted)
        groups = _apart(members, user, definer) if high > low else members
        tasks[members] = made + _tasks(groups, cores)
        last = int(tasks[members].max()) + 1
        stages.append(range(made, last))
        made = last
    return Order(levels, tasks, tuple(stages), circles)


def downstream(user: Ids, definer: Ids, start: Flags) -> Flags:
    """Some units, all that need them, all that need these, and so on."""
    followers, starts = _followers(len(start), definer, user)
    found = start.copy()
    front = np.flatnonzero(start)
    while len(front):
        reached = np.unique(followers[_spans(starts[front], starts[front + 1])])
        front = reached[~found[reached]]
        found[front] = True
    return found


def _followers(count: int, source: Ids, target: Ids) -> tuple[Ids, Ids]:
    """The targets of all sources, in a row; and where those of each source begin."""
    by_source = np.argsort(source, kind="stable")
    return target[by_source], np.searchsorted(source[by_source], np.arange(count + 1))


def _levels(count: int, source: Ids, target: Ids) -> tuple[Numbers, Ids]:
    """The longest way to each node; and the nodes at which circles were opened."""
    followers, starts = _followers(count, source, target)
    waiting = np.bincount(target, minlength=count)
    levels = np.zeros(count, np.int32)
    done = np.zeros(count, bool)
    opened: list[int] = []
    front = np.flatnonzero(waiting == 0)
    level = 0
    remaining = count
    while remaining:
        if not len(front):
            front = np.array([_opening(done, source, target)])
            opened.append(int(front[0]))
        levels[front] = level
        done[front] = True
        remaining -= len(front)
        level += 1
        reached = followers[_spans(starts[front], starts[front + 1])]
        np.subtract.at(waiting, reached, 1)
        front = np.unique(reached[(waiting[reached] <= 0) & ~done[reached]])
    return levels, np.array(opened, np.int64)


def _spans(starts: Ids, ends: Ids) -> Ids:
    """All numbers from each start to its end."""
    lengths = ends - starts
    before = np.cumsum(lengths) - lengths
    found: Ids = np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths)
    return found


def _opening(done: npt.NDArray[np.bool_], source: Ids, target: Ids) -> int:
    """Where to open the circles that are left: the smallest node on one of them."""
    alive = ~done
    while True:
        inside = alive[source] & alive[target]
        feeds = np.zeros(len(done), bool)
        feeds[source[inside]] = True
        fed = np.zeros(len(done), bool)
        fed[target[inside]] = True
        kept = alive & feeds & fed
        if np.array_equal(kept, alive):
            return int(np.flatnonzero(kept)[0])
        alive = kept


def _stages(levels: Numbers) -> Iterator[tuple[int, int]]:
    """First and last level of each stage."""
    counts = np.bincount(levels) if len(levels) else np.zeros(0, np.int64)
    level = int(levels.min(initial=0))
    while level < len(counts):
        last = level
        while last + 1 < len(counts) and counts[last] < _FEW and counts[last + 1] < _FEW:
            last += 1
        yield level, last
        level = last + 1


def _apart(members: Ids, user: Ids, definer: Ids) -> Ids:
    """For each of some units, the smallest unit that it hangs together with."""
    here = np.isin(user, members) & np.isin(definer, members)
    ends = np.searchsorted(members, np.stack([user[here], definer[here]]))
    labels = np.arange(len(members))
    while True:
        smaller = labels.copy()
        for one, other in (ends, ends[::-1]):
            np.minimum.at(smaller, one, labels[other])
        smaller = np.minimum(smaller, smaller[smaller])
        if np.array_equal(smaller, labels):
            return members[labels]
        labels = smaller


def _tasks(groups: Ids, cores: int) -> Numbers:
    """The task of each unit, where those of one group must be in one task."""
    found, number, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    if len(found) == len(groups):
        return _chunks(len(groups), cores)[number].astype(np.int32)
    bins = [(0, each) for each in range(min(len(found), 2 * cores))]
    task = np.zeros(len(found), np.int32)
    for group in np.argsort(-sizes, kind="stable"):
        size, smallest = heapq.heappop(bins)
        task[group] = smallest
        heapq.heappush(bins, (size + int(sizes[group]), smallest))
    return task[number]


def _chunks(count: int, cores: int) -> Numbers:
    """The task of each of *count* units: long ones first, short ones last, so that all cores are busy until the end."""
    sizes: list[int] = []
    left = count
    while left > 0:
        sizes.append(min(max(-(-left // (3 * cores)), _LEAST), _MOST, left))
        left -= sizes[-1]
    return np.repeat(np.arange(len(sizes)), sizes).astype(np.int32)
