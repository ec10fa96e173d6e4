"""The answer to `upstream` and `downstream`: what was reached, how far it is, and the hops on the way.

Numbers stay numbers until somebody asks: counting a closure of a million columns makes no million records.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Generic, Literal, TypeVar

import numpy as np

from headwater.graph.adjacency import Flow
from headwater.graph.closure import Direction, Reach, side
from headwater.graph.ends import ends
from headwater.graph.files import ROW_SET, Arrays, Ints
from headwater.graph.records import Column, Hop, Process, Records, Table
from headwater.graph.search import nodes_like, tables_like

Level = Literal["column", "table"]
Thing = TypeVar("Thing", Column, Table)


@dataclass(frozen=True, slots=True)
class Reached(Generic[Thing]):
    """A column or table that was reached, and in how many hops."""

    what: Thing
    distance: int


@dataclass(frozen=True, slots=True)
class TableHop:
    """A statement that makes columns of one table from those of another."""

    source: Table
    target: Table
    process: Process | None


class Trace:
    """What lies upstream or downstream of where it starts."""

    def __init__(
        self,
        arrays: Arrays,
        records: Records,
        start: Ints,
        direction: Direction,
        flow: Flow,
        reach: Reach,
        depth: int | None = None,
        level: Level = "column",
    ) -> None:
        self._arrays = arrays
        self._records = records
        self._start = start
        self._reach = reach
        self.direction = direction
        self.flow = flow
        self.depth = depth
        self.level = level

    def __len__(self) -> int:
        return len(self._reach.nodes)

    @property
    def start(self) -> list[Column]:
        """Where it starts: one column, or those of a table."""
        return [self._records.column(int(node)) for node in self._start]

    @cached_property
    def nodes(self) -> list[Reached[Column]]:
        """All that was reached, the start and row sets included, nearest first, then by name."""
        order = np.lexsort((self._reach.nodes, self._reach.distances))
        pairs = zip(self._reach.nodes[order].tolist(), self._reach.distances[order].tolist(), strict=True)
        return [Reached(self._records.column(node), distance) for node, distance in pairs]

    @cached_property
    def hops(self) -> list[Hop]:
        """All relations on the way, nearest first; with impact also those between row sets and their columns."""
        return [self._hop(*pair) for pair in self.numbered_hops()]

    def some_hops(self, limit: int, offset: int = 0) -> list[Hop]:
        """Some of the relations on the way, in the order of `hops`."""
        return [self._hop(*pair) for pair in islice(self.numbered_hops(), offset, offset + limit)]

    @property
    def hop_count(self) -> int:
        """How many relations there are on the way."""
        return len(self._followed()[1]) + sum(1 for _ in self._belonging())

    def columns(self, limit: int | None = None, offset: int = 0) -> list[Reached[Column]]:
        """The columns that were reached, without the start and without row sets, nearest first; all, or some of them."""
        part = slice(offset, None if limit is None else offset + limit)
        nodes, distances = self._columns
        return self._reached_columns(nodes[part], distances[part])

    def _reached_columns(self, nodes: Ints, distances: Ints) -> list[Reached[Column]]:
        pairs = zip(self._records.columns(nodes.tolist()), distances.tolist(), strict=True)
        return [Reached(column, distance) for column, distance in pairs]

    @property
    def column_count(self) -> int:
        """How many columns were reached, without the start and without row sets."""
        return len(self._columns[0])

    @cached_property
    def _columns(self) -> tuple[Ints, Ints]:
        nodes, distances = self._reach.nodes, self._reach.distances
        kept = (self._arrays.node_flags[nodes] & ROW_SET == 0) & ~np.isin(nodes, self._start)
        nodes, distances = nodes[kept], distances[kept]
        order = np.lexsort((nodes, distances))
        return nodes[order], distances[order]

    def tables(self) -> list[Reached[Table]]:
        """The tables that were reached, each with its nearest column's distance; without those of the start."""
        return self._reached_tables(*self._table_numbers())

    def page(
        self, like: str | None, limit: int, offset: int
    ) -> tuple[int, list[Reached[Column]] | list[Reached[Table]]]:
        """Some of the columns, or of the tables, that were reached, nearest first, then by name; and how many there are."""
        if self.level == "table":
            tables, distances = self._table_numbers()
            if like is not None:
                kept = np.isin(tables, tables_like(self._arrays, tables, like))
                tables, distances = tables[kept], distances[kept]
            part = slice(offset, offset + limit)
            return len(tables), self._reached_tables(tables[part], distances[part])
        nodes, distances = self._columns
        if like is not None:
            kept = np.isin(nodes, nodes_like(self._arrays, nodes, like))
            nodes, distances = nodes[kept], distances[kept]
        part = slice(offset, offset + limit)
        return len(nodes), self._reached_columns(nodes[part], distances[part])

    def _table_numbers(self) -> tuple[Ints, Ints]:
        """The tables that were reached, and how far they are: nearest first, then by name; without those of the start."""
        tables, where = np.unique(self._arrays.node_entity[self._reach.nodes], return_index=True)
        distances = self._reach.distances[where]
        others = ~np.isin(tables, self._arrays.node_entity[self._start])
        order = np.lexsort((tables[others], distances[others]))
        return tables[others][order], distances[others][order]

    def _reached_tables(self, tables: Ints, distances: Ints) -> list[Reached[Table]]:
        pairs = zip(tables.tolist(), distances.tolist(), strict=True)
        return [Reached(self._records.table(table), distance) for table, distance in pairs]

    def table_hops(self) -> list[TableHop]:
        """The hops between tables: each source, target and process once."""
        found: dict[tuple[int, int, int], None] = {}
        relations = self._followed()[1]
        arrays = self._arrays
        keys = zip(
            arrays.node_entity[arrays.relation_source[relations]].tolist(),
            arrays.node_entity[arrays.relation_target[relations]].tolist(),
            arrays.relation_process[relations].tolist(),
            strict=True,
        )
        found.update(dict.fromkeys(keys))
        tables = self._records.table
        return [TableHop(tables(s), tables(t), self._records.process(p)) for s, t, p in found]

    def ends(self) -> list[Column]:
        """Where the ways end: columns that nothing further makes (upstream) or reads (downstream); of a circle, all."""
        if self.depth is not None:
            raise ValueError("a trace that is cut off at a depth does not know where the ways end")
        nodes = ends(self._arrays, self._reach.nodes, self.direction, self.flow)
        return [self._records.column(node) for node in nodes.tolist() if not self._arrays.node_flags[node] & ROW_SET]

    def numbered_hops(self) -> Iterator[tuple[int, int, int]]:
        """All hops as (source node, target node, relation), the relation -1 between a row set and its column."""
        nodes, relations = self._followed()
        arrays = self._arrays
        keys = (arrays.relation_kind[relations], arrays.relation_source[relations], arrays.relation_target[relations])
        order = np.lexsort((*keys, self._rank[nodes]))
        relations = relations[order]
        ways = zip(
            arrays.relation_source[relations].tolist(),
            arrays.relation_target[relations].tolist(),
            relations.tolist(),
            strict=True,
        )
        yield from ways
        yield from self._belonging()

    @cached_property
    def _rank(self) -> Ints:
        """The distance of each node that was reached."""
        rank = np.zeros(self._arrays.nodes, dtype=np.int32)
        rank[self._reach.nodes] = self._reach.distances
        return rank

    def _followed(self) -> tuple[Ints, Ints]:
        """The relations that were followed, each with the node that it was followed from."""
        adjacency, nodes = side(self._arrays, self.direction), self._reach.within(self.depth)
        relations = adjacency.relations[adjacency.positions(nodes, self.flow)]
        return adjacency.owners(nodes, self.flow), relations

    def _belonging(self) -> Iterator[tuple[int, int, int]]:
        """The hops between row sets and columns that matter: upstream a row set leads on, downstream it was reached."""
        if not self.flow.influence:
            return
        nodes = np.sort(self._reach.nodes)
        rows = self._arrays.entity_rows[self._arrays.node_entity[nodes]]
        known = self._followed()[0] if self.direction is Direction.UPSTREAM else nodes
        there = np.isin(rows, known) & (rows != nodes) & (rows >= 0)
        yield from ((row, node, -1) for row, node in zip(rows[there].tolist(), nodes[there].tolist(), strict=True))

    def _hop(self, source: int, target: int, relation: int) -> Hop:
        return self._records.belonging(source, target) if relation < 0 else self._records.hop(relation)
