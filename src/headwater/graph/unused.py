"""Columns that nobody reads.

A column is read if a relation leads from it to another column; a referenced key is no reader, and neither is the column itself. Results of
queries that write nothing are readers, but are not asked about. A `*` reads everything and says little: a column that is read only so is
told apart, and so is whether anybody reads, by its name, what the `*` makes of it. A statement that was not understood and names a table
may read any of its columns: these are not called unused, they are listed with the number of such statements. The same holds for one that
names what a `*` makes of the table, such as a synonym.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from headwater.graph.adjacency import Flow
from headwater.graph.files import ROW_SET, Arrays, Ints
from headwater.graph.lost import LostStatement, LostStatements
from headwater.graph.records import Column, Records, Table
from headwater.graph.search import matching_columns, matching_tables, nodes_like, tables_like
from headwater.model.entity import SEMANTIC, EntityKind

Use = Literal["none", "star"]
_LAST = (EntityKind.DASHBOARD, EntityKind.EXPOSURE)
"""What is there to be looked at, and not to be read."""
_ASKED = frozenset({EntityKind.TABLE, EntityKind.VIEW, *SEMANTIC}.difference(_LAST))
_STAR = "*"
_READING = Flow(influence=True)
_NODES = 200_000
"""Nodes whose relations are looked at together."""


@dataclass(frozen=True, slots=True)
class Unused:
    """A column that nobody reads; or nobody by its name, only through `*`."""

    column: Column
    use: Use
    copy_read: bool
    """Whether what the `*` makes of it is read by its name, somewhere down the line."""
    not_understood: int = 0
    """Statements that name its table and were not understood: they may read it."""


@dataclass(frozen=True, slots=True)
class UnusedReport:
    """What nobody reads."""

    columns: tuple[Unused, ...]
    """Columns of tables that are read."""
    tables: tuple[Table, ...]
    """Tables of which nobody reads anything."""
    not_understood: tuple[LostStatement, ...] = ()
    """Statements that name one of these tables and were not understood."""

    @property
    def certain(self) -> tuple[Unused, ...]:
        """Columns that no statement can read: all that name their tables were understood."""
        return tuple(each for each in self.columns if not each.not_understood)


@dataclass(frozen=True, slots=True)
class UnusedPage:
    """Some of what nobody reads: columns that are read by nobody, or through a `*` behind which nobody reads them."""

    total: int
    columns: tuple[Unused, ...]
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class UnusedNumbers:
    """What nobody reads, as numbers."""

    nodes: Ints
    """Columns of tables that are read."""
    starred: Ints
    """Of each of them, whether it is read through `*`."""
    copy_read: Ints
    """Of each of them, whether what the `*` makes of it is read by its name."""
    tables: Ints
    """Tables of which nobody reads anything."""


def unused(arrays: Arrays, records: Records, lost: LostStatements, scope: str | None = None) -> UnusedReport:
    """The columns and tables that nobody reads, among those whose names match."""
    found = unused_numbers(arrays, scope)
    doubts = Doubts(arrays, records, lost)
    columns = tuple(_columns(records, doubts, found, np.arange(len(found.nodes))))
    tables = tuple(records.table(number) for number in found.tables.tolist())
    named = dict.fromkeys((*(each.column.table for each in columns), *tables))
    statements = dict.fromkeys(each for table in named for each in doubts.of(table))
    return UnusedReport(columns, tables, tuple(statements))


class Doubts:
    """Which statements that were not understood may read a table: those that name it, or what a `*` makes of it, such as a synonym."""

    def __init__(self, arrays: Arrays, records: Records, lost: LostStatements) -> None:
        self._arrays = arrays
        self._records = records
        self._lost = lost
        self._star = np.array([m.star for m in arrays.meanings], dtype=bool)
        self._known: dict[Table, tuple[LostStatement, ...]] = {}

    def of(self, table: Table) -> tuple[LostStatement, ...]:
        """The statements that may read a table."""
        if not self._lost:
            return ()
        if table not in self._known:
            tables = (table, *map(self._records.table, self._behind(table)))
            self._known[table] = self._lost.naming(*map(self._records.own_name, tables))
        return self._known[table]

    def _behind(self, table: Table) -> list[int]:
        """The entities that a `*` hands the columns of a table on to, over any number of hops."""
        side, star = self._arrays.outgoing, self._star
        nodes = np.flatnonzero(self._arrays.node_entity == table.number)
        seen = set(nodes.tolist())
        entities: dict[int, None] = {}
        while len(nodes):
            positions = side.positions(nodes, _READING)
            through = star[self._arrays.relation_kind[side.relations[positions]]]
            more = set(side.neighbours[positions][through].tolist()) - seen
            seen |= more
            nodes = np.array(sorted(more), dtype=np.int64)
            entities.update(dict.fromkeys(self._arrays.node_entity[nodes].tolist()))
        return list(entities)


def _columns(records: Records, doubts: Doubts, found: UnusedNumbers, at: Ints) -> Iterator[Unused]:
    """Some of what was found, as records."""
    for node, starred, read in zip(
        found.nodes[at].tolist(), found.starred[at].tolist(), found.copy_read[at].tolist(), strict=True
    ):
        column = records.column(node)
        yield Unused(column, "star" if starred else "none", read, len(doubts.of(column.table)))


def unused_page(
    arrays: Arrays,
    records: Records,
    lost: LostStatements,
    found: UnusedNumbers,
    like: str | None,
    limit: int,
    offset: int,
) -> UnusedPage:
    """Some of what was found, by table and column; and the first tables of which nobody reads anything."""
    kept = np.flatnonzero(~found.copy_read)
    tables = found.tables
    if like is not None:
        kept = kept[np.isin(found.nodes[kept], nodes_like(arrays, found.nodes[kept], like))]
        tables = tables_like(arrays, tables, like)
    shown = kept[offset : offset + limit]
    columns = tuple(_columns(records, Doubts(arrays, records, lost), found, shown))
    return UnusedPage(len(kept), columns, tuple(records.table(number) for number in tables[:limit].tolist()))


def unused_numbers(arrays: Arrays, scope: str | None = None) -> UnusedNumbers:
    """The same, for who only counts: no record is made of a million columns."""
    explicit, starred = readers(arrays)
    handed_on = _handed_on(arrays, explicit)
    asked = asked_nodes(arrays, scope)
    read = np.zeros(len(arrays.entity_rows), dtype=bool)
    read[arrays.node_entity[np.flatnonzero(explicit | starred)]] = True
    nodes = np.flatnonzero(asked & ~explicit & read[arrays.node_entity])
    tables = np.unique(arrays.node_entity[asked & ~read[arrays.node_entity]])
    return UnusedNumbers(nodes, starred[nodes], (starred & handed_on)[nodes], tables)


def readers(arrays: Arrays) -> tuple[Ints, Ints]:
    """Of each node whether somebody reads it by its name, and whether somebody does through `*`."""
    side = arrays.outgoing
    star = np.array([m.star for m in arrays.meanings], dtype=bool)
    explicit, starred = np.zeros(arrays.nodes, dtype=bool), np.zeros(arrays.nodes, dtype=bool)
    for first in range(0, arrays.nodes, _NODES):
        nodes = np.arange(first, min(first + _NODES, arrays.nodes))
        positions, owners = side.positions(nodes, _READING), side.owners(nodes, _READING)
        others = owners != side.neighbours[positions]
        through = star[arrays.relation_kind[side.relations[positions]]]
        explicit[owners[others & ~through]] = True
        starred[owners[others & through]] = True
    return explicit, starred


def _handed_on(arrays: Arrays, explicit: Ints) -> Ints:
    """Which nodes a `*` hands on, over any number of hops, to one that is read by its name."""
    star = np.array([m.star for m in arrays.meanings], dtype=bool)
    relations = np.flatnonzero(star[arrays.relation_kind]) if len(star) else np.empty(0, np.int64)
    sources, targets = arrays.relation_source[relations], arrays.relation_target[relations]
    found = np.zeros(arrays.nodes, dtype=bool)
    while True:
        more = sources[(explicit | found)[targets]]
        before = np.count_nonzero(found)
        found[more] = True
        if np.count_nonzero(found) == before:
            return found


def asked_nodes(arrays: Arrays, scope: str | None) -> Ints:
    """Which nodes are asked about: columns of tables and views, no row sets, no `*`."""
    asked = np.ones(arrays.nodes, dtype=bool)
    if scope:
        asked[:] = False
        asked[matching_columns(arrays, scope)] = True
        asked |= np.isin(arrays.node_entity, matching_tables(arrays, scope))
    kinds = arrays.entity_field("kind").to_pylist()
    fitting = np.array([kind in _ASKED for kind in kinds], dtype=bool)
    names = np.array([name == _STAR for name in arrays.names.to_pylist()], dtype=bool)
    if not arrays.nodes:
        return asked
    found: Ints = asked & fitting[arrays.node_entity] & ~names[arrays.node_name] & (arrays.node_flags & ROW_SET == 0)
    return found
