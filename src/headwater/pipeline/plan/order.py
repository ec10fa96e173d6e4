"""Units in an order in which tables are defined before they are used, and in tasks.

A unit's level is above those of all that it needs; where units need each other in a cycle, the cycle is opened at its smallest id. A
stage is a level, or several small ones in a row; its tasks need only what earlier stages made, or the task itself: in a stage of several
levels, units that hang together are in one task. Units that nobody needs are spread over the stages so that no core is idle.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headwater.pipeline.ids import Flags, Ids
from headwater.pipeline.plan.units import spans

Numbers = npt.NDArray[np.int32]

BEFORE = -1
"""In place of a task: what an earlier round or build has made."""

_FEW = 400
"""Units of a level below which it is joined with the levels after it."""
_MOST = 2_000
"""Units in a task, at most: small enough that a slow one does not hold the others."""
_LEAST = 200
"""Units in a task that are worth its start."""


@dataclass(frozen=True, slots=True)
class Order:
    """The level and the task of each unit, if it has one; and the stages, as ranges of tasks."""

    levels: Numbers
    tasks: Numbers
    stages: tuple[range, ...]
    cycles: Ids
    """Units at which cycles were opened."""


def order(user: Ids, definer: Ids, wanted: Flags, cores: int) -> Order:
    """The order of units of which some need others; only those that are *wanted* have a task."""
    levels, cycles = _levels(len(wanted), definer, user)
    tasks = np.full(len(wanted), BEFORE, np.int32)
    stages: list[range] = []
    made = 0
    for members, groups in _Plan(user, definer, wanted, levels, cores).stages():
        tasks[members] = made + groups
        last = int(tasks[members].max()) + 1
        stages.append(range(made, last))
        made = last
    return Order(levels, tasks, tuple(stages), cycles)


class _Plan:
    """Which units are analysed in which stage.

    Units that others need go level by level. Those that nobody needs, most queries, can wait: they fill the cores that would be idle
    while a long chain is followed, and what is left of them comes last, all at once.
    """

    def __init__(self, user: Ids, definer: Ids, wanted: Flags, levels: Numbers, cores: int) -> None:
        self._user, self._definer = user, definer
        self._levels = levels
        self._cores = cores
        needed = np.zeros(len(wanted), bool)
        needed[definer[wanted[user]]] = True
        waiting = wanted & ~needed
        if np.count_nonzero(waiting) < _FEW:  # not worth a stage of their own
            waiting[:] = False
        self._needed = wanted & ~waiting
        self._waiting, self._ready = self._ready_from(waiting)
        self._used = 0

    def _ready_from(self, waiting: Flags) -> tuple[Ids, Numbers]:
        """The units that can wait, and the level from which on each of them has all that it needs; in the order of that."""
        ready = np.zeros(len(waiting), np.int32)
        counts = waiting[self._user] & self._needed[self._definer]
        np.maximum.at(ready, self._user[counts], self._levels[self._definer[counts]] + 1)
        units = np.flatnonzero(waiting)
        by_level = units[np.argsort(ready[units], kind="stable")]
        return by_level, ready[by_level]

    def stages(self) -> Iterator[tuple[Ids, Numbers]]:
        """The units of each stage, and the task of each, counted from the stage's first."""
        for low, high in _stages(self._levels[self._needed]):
            members = np.flatnonzero((self._levels >= low) & (self._levels <= high) & self._needed)
            groups = _apart(members, self._user, self._definer) if high > low else members
            tasks = _tasks(groups, self._cores)
            idle = self._cores * int(np.bincount(tasks).max()) - len(members)
            filling = self._wait_no_more(low, idle) if high > low else members[:0]
            chunks = _chunks(len(filling), self._cores) + int(tasks.max()) + 1
            yield np.concatenate([members, filling]), np.concatenate([tasks, chunks])
        rest = self._waiting[self._used :]
        if len(rest):
            yield rest, _chunks(len(rest), self._cores)

    def _wait_no_more(self, level: int, most: int) -> Ids:
        """The next units that can wait no longer, of those that have what they need below a level."""
        able = int(np.searchsorted(self._ready, level, side="right"))
        first, self._used = self._used, max(self._used, min(self._used + most, able))
        return self._waiting[first : self._used]


def downstream(user: Ids, definer: Ids, start: Flags) -> Flags:
    """Some units, all that need them, all that need these, and so on."""
    followers, starts = _followers(len(start), definer, user)
    found = start.copy()
    front = np.flatnonzero(start)
    while len(front):
        reached = np.unique(followers[spans(starts[front], starts[front + 1])])
        front = reached[~found[reached]]
        found[front] = True
    return found


def _followers(count: int, source: Ids, target: Ids) -> tuple[Ids, Ids]:
    """The targets of all sources, in a row; and where those of each source begin."""
    by_source = np.argsort(source, kind="stable")
    return target[by_source], np.searchsorted(source[by_source], np.arange(count + 1))


def _levels(count: int, source: Ids, target: Ids) -> tuple[Numbers, Ids]:
    """The longest way to each node; and the nodes at which cycles were opened."""
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
        reached = followers[spans(starts[front], starts[front + 1])]
        np.subtract.at(waiting, reached, 1)
        front = np.unique(reached[(waiting[reached] <= 0) & ~done[reached]])
    return levels, np.array(opened, np.int64)


def _opening(done: npt.NDArray[np.bool_], source: Ids, target: Ids) -> int:
    """Where to open the cycles that are left: the smallest node on one of them."""
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
