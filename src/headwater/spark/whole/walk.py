"""A closure source by source, for edges that fit into one process: Spark shares out the sources, arrays answer.

The edges go to every Python worker once, as ranges of one long array. Each source is then walked from, level by level, and its pairs are
handed on in batches: nothing moves between workers, and no more of the answer is in memory than a batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame

from headwater.graph.adjacency import Adjacency, Flow, Ints, sides
from headwater.graph.closure import admit
from headwater.runtime.arrow_ddl import ddl
from headwater.runtime.arrow_frames import to_arrow
from headwater.runtime.versions import is_connect
from headwater.runtime.workers import make_ready, parallelism
from headwater.spark.whole.edges import Edges
from headwater.spark.whole.limit import TooManyPairs

if TYPE_CHECKING:
    from pyspark.core.broadcast import Broadcast

_PAIRS = pa.schema([("source_id", pa.int64()), ("target_id", pa.int64()), ("hops", pa.int32())])
_COUNT = pa.schema([("pairs", pa.int64())])
_BATCH = 200_000
"""Pairs that are handed on at a time, or a few more."""
_TASKS_PER_CORE = 8
_ALL = Flow()


@dataclass(frozen=True, slots=True)
class Ways:
    """All edges as arrays; a node is a row of `ids`."""

    ids: Ints
    sources: Ints
    """The nodes that ways begin with."""
    hops: Adjacency
    members: Adjacency | None
    """The columns of row sets, if influence is followed."""

    def walk(self, source: int, depth: int | None, seen: Ints) -> tuple[Ints, Ints]:
        """All that can be reached from a node, but the node: nodes, and how far they are. *seen* is zero before and after."""
        levels = [self._level(seen, np.array([source]))]
        while levels[-1].size and (depth is None or len(levels) <= depth):
            behind = self.hops.neighbours.take(self.hops.positions(levels[-1], _ALL))
            levels.append(self._level(seen, behind))
        nodes = np.concatenate(levels)
        seen[nodes] = 0
        distances = np.repeat(np.arange(len(levels), dtype=np.int32), [len(level) for level in levels])
        return nodes[1:], distances[1:]

    def _level(self, seen: Ints, reached: Ints) -> Ints:
        """The nodes of a level that are new, with the columns of row sets among them."""
        fresh = admit(seen, reached)
        if self.members is None or not fresh.size:
            return fresh
        members = self.members.neighbours.take(self.members.positions(fresh, _ALL))
        return np.concatenate([fresh, admit(seen, members)])


@dataclass(frozen=True, slots=True)
class _Sent:
    """The edges, sent with each task: Spark Connect has no broadcast variables."""

    value: Ways


def walked(edges: Edges, depth: int | None, limit: int) -> DataFrame:
    """The pairs of a closure: `source_id`, `target_id`, `hops`; worked out when they are asked for."""
    ways = ways_of(edges)
    spark = edges.hops.sparkSession
    make_ready(spark)
    known = _Sent(ways) if is_connect(spark) else spark.sparkContext.broadcast(ways)
    tasks = parallelism(spark) * _TASKS_PER_CORE
    sources = spark.range(len(ways.sources)).repartition(min(tasks, max(len(ways.sources), 1)))
    if len(ways.sources) * len(ways.ids) > limit:
        _refuse_more(sources, known, depth, limit)

    def pairs(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return _gathered(known.value, _numbers(batches), depth)

    return sources.mapInArrow(pairs, ddl(_PAIRS))


def ways_of(edges: Edges) -> Ways:
    """The edges as arrays."""
    hops = _ends(edges.hops)
    members = (np.empty(0, np.int64),) * 2 if edges.belonging is None else _ends(edges.belonging)
    ids = np.unique(np.concatenate([*hops, *members]))
    outgoing = _outgoing(ids, *hops)
    belonging = None if edges.belonging is None else _outgoing(ids, *members)
    sources = np.searchsorted(ids, np.unique(np.concatenate([hops[0], members[0]])))
    return Ways(ids, sources, outgoing, belonging)


def _ends(pairs: DataFrame) -> tuple[Ints, Ints]:
    table = to_arrow(pairs)
    return table.column(0).to_numpy(), table.column(1).to_numpy()


def _outgoing(ids: Ints, sources: Ints, targets: Ints) -> Adjacency:
    own, other = (np.searchsorted(ids, ends).astype(np.int32) for ends in (sources, targets))
    _, outgoing = sides(len(ids), own, other, np.zeros(len(own), dtype=np.int64))
    return outgoing


def _refuse_more(sources: DataFrame, known: _Sent | Broadcast[Ways], depth: int | None, limit: int) -> None:
    """Count the pairs, and refuse more than the limit. A task that alone has more does not go on."""

    def count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        found = 0
        for nodes, _ in _walks(known.value, _numbers(batches), depth):
            found += len(nodes)
            if found > limit:
                break
        yield pa.record_batch([pa.array([found], pa.int64())], schema=_COUNT)

    counted = to_arrow(sources.mapInArrow(count, ddl(_COUNT)))
    pairs = sum(counted.column(0).to_pylist())
    if pairs > limit:
        raise TooManyPairs(pairs, limit, depth)


def _numbers(batches: Iterator[pa.RecordBatch]) -> Iterator[int]:
    for batch in batches:
        yield from batch.column(0).to_pylist()


def _walks(ways: Ways, numbers: Iterator[int], depth: int | None) -> Iterator[tuple[Ints, Ints]]:
    seen = np.zeros(len(ways.ids), dtype=np.int32)
    for number in numbers:
        yield ways.walk(int(ways.sources[number]), depth, seen)


def _gathered(ways: Ways, numbers: Iterator[int], depth: int | None) -> Iterator[pa.RecordBatch]:
    """The pairs of these sources, in batches."""
    begun: list[int] = []
    parts: list[tuple[Ints, Ints]] = []
    size = 0
    seen = np.zeros(len(ways.ids), dtype=np.int32)
    for number in numbers:
        source = int(ways.sources[number])
        parts.append(ways.walk(source, depth, seen))
        begun.append(source)
        size += len(parts[-1][0])
        if size >= _BATCH:
            yield _batch(ways, begun, parts)
            begun, parts, size = [], [], 0
    if parts:
        yield _batch(ways, begun, parts)


def _batch(ways: Ways, begun: list[int], parts: list[tuple[Ints, Ints]]) -> pa.RecordBatch:
    sources = np.repeat(ways.ids[begun], [len(nodes) for nodes, _ in parts])
    targets = ways.ids[np.concatenate([nodes for nodes, _ in parts])]
    hops = np.concatenate([distances for _, distances in parts])
    return pa.record_batch([pa.array(column) for column in (sources, targets, hops)], schema=_PAIRS)
