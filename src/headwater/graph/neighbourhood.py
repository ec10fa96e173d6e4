"""The graph around a column or table, small enough to be looked at: the nearest tables first, and of what is left out how much it is.

Around a **table** lie the tables that it is made of and that are made of it, hop by hop; between those that are shown all relations are
given. Around a **column** lie only the columns on ways to and from it, and the relations on these ways.

Tables are let in hop by hop, both sides at once. Where more come at one distance than there is room for, those with the most relations to
what is shown already are let in, then by name; what is not let in is not gone through either. For each table that is shown it is counted
how many next to it are not: that is what can be expanded.

Nothing here is as long as the graph: only the neighbours of what is shown are looked at, and those of tables are ranges of an array.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from headwater.graph.adjacency import INFLUENCE, KEYS, LAYERS, Adjacency, Flow, ranges
from headwater.graph.closure import Direction, among, belonging, side
from headwater.graph.files import ROW_SET, Arrays, Ints
from headwater.graph.records import Column, Hop, Process, Records, Table

Level = Literal["column", "table"]
_MOST = 2000
"""Relations between columns that are given; of more, those of the focus first, and the rest is told between tables only."""
_NONE = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A table that is shown."""

    table: Table
    distance: int
    """Hops from the focus, negative upstream."""
    columns: tuple[Column, ...]
    """Those that are shown, in order; with them its row set, if a relation leads from or to it."""
    hidden_columns: int
    beyond_upstream: int
    """How many tables that it is made of are not shown."""
    beyond_downstream: int


@dataclass(frozen=True, slots=True)
class Link:
    """What leads from a table that is shown to another, where columns are not: all relations of one statement together."""

    source: Table
    target: Table
    process: Process | None
    source_column: Column | None
    target_column: Column | None
    """The column on one side, if only that of the other side is not shown."""
    flowing: bool
    """Whether data flows, and not only influence."""
    relations: int


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The graph around a column or table."""

    focus: Column | Table
    level: Level
    tables: tuple[Neighbour, ...]
    """The nearest first; at the same distance upstream first."""
    hops: tuple[Hop, ...]
    """Relations between columns that are shown."""
    links: tuple[Link, ...]
    """The other relations between tables that are shown."""

    @property
    def beyond(self) -> int:
        """How often something next to what is shown is not."""
        return sum(each.beyond_upstream + each.beyond_downstream for each in self.tables)


@dataclass(frozen=True, slots=True)
class Around:
    """How far is looked, and how much is shown."""

    upstream: int
    downstream: int
    flow: Flow
    level: Level
    tables: int
    columns: int


def neighbourhood(arrays: Arrays, records: Records, focus: Column | Table, asked: Around) -> Neighbourhood:
    """The graph around a column or table."""
    if isinstance(focus, Table):
        shown = _Shown(focus.number, asked.tables)
        _walk_tables(arrays, shown, asked)
        relations = _between(arrays, shown.sorted, asked.flow)
        wanted = _NONE
    else:
        shown = _Shown(focus.table.number, asked.tables)
        relations = _walk_columns(arrays, shown, focus.node, asked)
        wanted = np.array([focus.node])
    return _Drawn(arrays, records, shown, relations, wanted, asked).all(focus)


class _Shown:
    """The tables that are shown, and how far each is."""

    def __init__(self, focus: int, most: int) -> None:
        self._most = most
        self.distance = {focus: 0}

    @property
    def sorted(self) -> Ints:
        """Their numbers, in order."""
        return np.array(sorted(self.distance), np.int64)

    def admit(self, *sides: tuple[Ints, Ints, int]) -> None:
        """Let tables in, as many as there is room for: of each side their numbers, how many relations each has, and the distance."""
        room = self._most - len(self.distance)
        tables, counts, distances = (
            np.concatenate([np.broadcast_to(each[i], each[0].shape) for each in sides]) for i in range(3)
        )
        fresh = ~np.isin(tables, self.sorted)
        tables, counts, distances = tables[fresh], counts[fresh], distances[fresh]
        for at in np.lexsort((distances, tables, -counts)).tolist():
            if room <= 0:
                return
            if int(tables[at]) not in self.distance:
                self.distance[int(tables[at])] = int(distances[at])
                room -= 1


def _walk_tables(arrays: Arrays, shown: _Shown, asked: Around) -> None:
    """Let in what lies around a table, hop by hop."""
    up = down = shown.sorted
    for hop in range(1, max(asked.upstream, asked.downstream) + 1):
        before = set(shown.distance)
        upward = _neighbours(arrays.table_incoming, up if hop <= asked.upstream else _NONE, asked.flow)
        downward = _neighbours(arrays.table_outgoing, down if hop <= asked.downstream else _NONE, asked.flow)
        shown.admit((*upward, -hop), (*downward, hop))
        fresh = [(table, distance) for table, distance in shown.distance.items() if table not in before]
        up = np.array([table for table, distance in fresh if distance < 0], np.int64)
        down = np.array([table for table, distance in fresh if distance > 0], np.int64)
        if not fresh:
            return


def _neighbours(adjacency: Adjacency, tables: Ints, flow: Flow) -> tuple[Ints, Ints]:
    """The tables next to some, each once, and how many relations there are to it."""
    positions = adjacency.positions(tables, flow)
    others, counts = adjacency.neighbours[positions], adjacency.relations[positions]
    if len(tables) == 1:
        return others, counts
    found, where = np.unique(others, return_inverse=True)
    return found, np.bincount(where, counts, len(found)).astype(np.int64)


def _between(arrays: Arrays, tables: Ints, flow: Flow) -> Ints:
    """All relations between some tables: found from the side on which these have fewer."""
    nodes = ranges(arrays.entity_start[tables].astype(np.int64), arrays.entity_start[tables + 1].astype(np.int64))
    by_count = sorted((arrays.incoming, arrays.outgoing), key=lambda each: _count(each, nodes, flow))
    positions = by_count[0].positions(nodes, flow)
    others = arrays.node_entity[by_count[0].neighbours[positions]]
    return by_count[0].relations[positions[among(others, tables)]]


def _count(adjacency: Adjacency, nodes: Ints, flow: Flow) -> int:
    base = nodes * LAYERS
    return sum(int((adjacency.bounds[base + last] - adjacency.bounds[base + first]).sum()) for first, last in flow.runs)


def _walk_columns(arrays: Arrays, shown: _Shown, focus: int, asked: Around) -> Ints:
    """Let in what lies around a column, hop by hop; gives the relations on the ways."""
    ways = [_Way(arrays, focus, direction, asked.flow) for direction in Direction]
    depths = (asked.upstream, asked.downstream)
    for hop in range(1, max(depths) + 1):
        going = [way for way, depth in zip(ways, depths, strict=True) if hop <= depth]
        shown.admit(*((*way.look(), -hop if way.direction is Direction.UPSTREAM else hop) for way in going))
        tables = shown.sorted
        for way in going:
            way.go(tables)
    return np.unique(np.concatenate([_NONE, *(each for way in ways for each in way.relations)]))


class _Way:
    """Columns on one side of a column, hop by hop."""

    def __init__(self, arrays: Arrays, focus: int, direction: Direction, flow: Flow) -> None:
        self._arrays = arrays
        self._side = side(arrays, direction)
        self._flow = flow
        self.direction = direction
        self._seen = _NONE
        self._frontier = self._fresh(np.array([focus], np.int64))
        self._next: tuple[Ints, Ints] = (_NONE, _NONE)
        self.relations: list[Ints] = []

    def look(self) -> tuple[Ints, Ints]:
        """The tables that the next hop leads to, and by how many relations."""
        positions = self._side.positions(self._frontier, self._flow)
        self._next = self._side.neighbours[positions], self._side.relations[positions]
        return np.unique(self._arrays.node_entity[self._next[0]], return_counts=True)

    def go(self, tables: Ints) -> None:
        """Take that hop, to tables that are shown."""
        nodes, relations = self._next
        kept = among(self._arrays.node_entity[nodes], tables)
        self.relations.append(relations[kept])
        self._frontier = self._fresh(nodes[kept])

    def _fresh(self, nodes: Ints) -> Ints:
        """Those of the nodes that are new, with what belongs to them."""
        new = np.setdiff1d(nodes, self._seen).astype(np.int64)
        if self._flow.influence and new.size:
            new = np.union1d(new, np.setdiff1d(belonging(self._arrays, new, self.direction), self._seen)).astype(
                np.int64
            )
        self._seen = np.union1d(self._seen, new).astype(np.int64)
        return new


class _Drawn:
    """Makes records of what is shown."""

    def __init__(
        self, arrays: Arrays, records: Records, shown: _Shown, relations: Ints, wanted: Ints, asked: Around
    ) -> None:
        self._arrays = arrays
        self._records = records
        self._shown = shown
        self._asked = asked
        self._relations = relations
        self._sources = arrays.relation_source[relations]
        self._targets = arrays.relation_target[relations]
        self._wanted = wanted
        self._ends = np.unique(np.concatenate([wanted, self._sources, self._targets]))

    def all(self, focus: Column | Table) -> Neighbourhood:
        """The neighbourhood of a focus."""
        chosen = {table: self._chosen(table) for table in self._shown.distance}
        nodes = np.sort(np.concatenate([_NONE, *chosen.values()]))
        there = among(self._sources, nodes), among(self._targets, nodes)
        both = self._first(there[0] & there[1], focus)
        order = sorted(self._shown.distance, key=lambda table: _nearness(self._shown.distance[table]))
        return Neighbourhood(
            focus=focus,
            level=self._asked.level,
            tables=tuple(self._neighbour(table, chosen[table]) for table in order),
            hops=tuple(self._records.hops(self._relations[both])),
            links=tuple(self._links(~both, *there)),
        )

    def _first(self, drawn: Ints, focus: Column | Table) -> Ints:
        """Which relations are given one by one."""
        at = np.flatnonzero(drawn)
        if len(at) <= _MOST:
            return drawn
        table = (focus.table if isinstance(focus, Column) else focus).number
        ends = (self._arrays.node_entity[each[at]] == table for each in (self._sources, self._targets))
        kept = np.zeros(len(drawn), dtype=bool)
        kept[at[np.argsort(~np.logical_or(*ends), kind="stable")[:_MOST]]] = True
        return kept

    def _chosen(self, table: int) -> Ints:
        """The columns of a table that are shown: those that relations lead from or to first; around a column, only these."""
        if self._asked.level == "table":
            return _NONE
        first, behind = self._arrays.entity_start[table : table + 2].tolist()
        ends = self._ends[np.searchsorted(self._ends, first) : np.searchsorted(self._ends, behind)]
        rows = self._arrays.node_flags[ends] & ROW_SET != 0
        plain = ends[~rows]
        plain = np.sort(plain[np.argsort(~np.isin(plain, self._wanted), kind="stable")[: self._asked.columns]])
        room = self._asked.columns - len(plain)
        if room > 0 and not self._wanted.size:
            more = np.arange(first, min(behind, first + len(ends) + room + 1))
            more = more[self._arrays.node_flags[more] & ROW_SET == 0]
            plain = np.sort(np.concatenate([plain, np.setdiff1d(more, plain)[:room]]))
        return np.concatenate([plain, ends[rows] if self._asked.columns else _NONE]).astype(np.int64)

    def _neighbour(self, table: int, nodes: Ints) -> Neighbour:
        arrays = self._arrays
        first, behind = arrays.entity_start[table : table + 2].tolist()
        rows = arrays.node_flags[nodes] & ROW_SET != 0
        plain = behind - first - (int(arrays.entity_rows[table]) >= 0)
        return Neighbour(
            table=self._records.table(table),
            distance=self._shown.distance[table],
            columns=tuple(self._records.columns(nodes.tolist())),
            hidden_columns=plain - int(np.count_nonzero(~rows)),
            beyond_upstream=self._beyond(arrays.table_incoming, table),
            beyond_downstream=self._beyond(arrays.table_outgoing, table),
        )

    def _beyond(self, adjacency: Adjacency, table: int) -> int:
        """How many tables next to one are not shown."""
        last = KEYS if self._asked.flow.influence else INFLUENCE
        bounds = adjacency.bounds[table * LAYERS : table * LAYERS + last + 1].tolist()
        shown = self._shown.sorted
        found = int(bounds[-1] - bounds[0])
        for layer in range(last):
            own = adjacency.neighbours[bounds[layer] : bounds[layer + 1]]
            if own.size:
                found -= int(np.count_nonzero(among(shown, own)))
        return found

    def _links(self, rest: Ints, source_there: Ints, target_there: Ints) -> list[Link]:
        """Relations that are not given one by one: those of the same ends and statement are one."""
        arrays = self._arrays
        one_end = source_there ^ target_there
        rest = np.flatnonzero(rest)
        relations = self._relations[rest]
        from_table, to_table = arrays.node_entity[self._sources[rest]], arrays.node_entity[self._targets[rest]]
        apart = np.flatnonzero(from_table != to_table)
        flowing = np.array([each.kind.type == "fdd" for each in arrays.meanings], dtype=bool)
        keys = zip(
            from_table[apart].tolist(),
            to_table[apart].tolist(),
            arrays.relation_process[relations[apart]].tolist(),
            np.where(source_there & one_end, self._sources, -1)[rest][apart].tolist(),
            np.where(target_there & one_end, self._targets, -1)[rest][apart].tolist(),
            strict=True,
        )
        found: dict[tuple[int, int, int, int, int], list[bool]] = {}
        for key, flows in zip(keys, flowing[arrays.relation_kind[relations[apart]]].tolist(), strict=True):
            found.setdefault(key, []).append(flows)
        return [self._link(*key, flows) for key, flows in sorted(found.items())]

    def _link(self, source: int, target: int, process: int, start: int, end: int, flows: list[bool]) -> Link:
        records = self._records
        return Link(
            source=records.table(source),
            target=records.table(target),
            process=records.process(process),
            source_column=None if start < 0 else records.column(start),
            target_column=None if end < 0 else records.column(end),
            flowing=any(flows),
            relations=len(flows),
        )


def _nearness(distance: int) -> tuple[int, int]:
    """By this the nearest come first, and at the same distance those upstream."""
    return abs(distance), distance
