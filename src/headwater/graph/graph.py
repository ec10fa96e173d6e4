"""The graph over a store's snapshot: questions in, records out.

Each question has a module of its own; this one opens a snapshot, finds what a name means and hands the question on. A `Graph` never
changes and may be asked by several threads.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.adjacency import Flow
from headwater.graph.arrays import arrays_of
from headwater.graph.closure import Direction, closure
from headwater.graph.composition import EndToEnd, end_to_end
from headwater.graph.coverage import Coverage, coverage
from headwater.graph.details import (
    Degree,
    TableDetails,
    Uses,
    column_degree,
    column_numbers,
    table_degree,
    table_details,
    uses,
)
from headwater.graph.diagnostics import Remarks, Wanted, diagnostics
from headwater.graph.diff import Diff, Side, diff
from headwater.graph.files import Arrays, Ints
from headwater.graph.find import Finder, What
from headwater.graph.impact import Impact, impact
from headwater.graph.impact_rules import Change
from headwater.graph.lost import LostStatements
from headwater.graph.names import Names, UnknownName
from headwater.graph.neighbourhood import Around, Neighbourhood, neighbourhood
from headwater.graph.paths import Paths, paths
from headwater.graph.records import Column, Records, Table
from headwater.graph.scripts import Scripts
from headwater.graph.search import matching_tables
from headwater.graph.tags import Tags
from headwater.graph.trace import Level, Trace
from headwater.graph.unused import UnusedNumbers, UnusedPage, UnusedReport, unused, unused_numbers, unused_page
from headwater.graph.usage import NotReadReport, Runs, not_read, runs
from headwater.store import Snapshot, Store
from headwater.tags.governance import Governance

FlowName = Literal["data", "impact"]
Asked = str | Column | Table


def open_graph(path: str | os.PathLike[str], as_of: str | None = None) -> Graph:
    """Open the graph of a store: its current snapshot, or the last one up to a time, or of a name."""
    return Graph(Store(path).snapshot(as_of))


@dataclass(frozen=True, slots=True)
class Matches:
    """What was found, best first, and how many there are altogether; if not `exact`, at least so many."""

    items: tuple[Table | Column, ...]
    total: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: the first tables and columns, each best first, and how many there are of both."""

    tables: tuple[Table, ...]
    columns: tuple[Column, ...]
    total: int
    exact: bool


class Graph:
    """The lineage of a snapshot, ready to be asked."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._arrays = arrays_of(snapshot)
        snapshot.keep_only_this()
        self._records = Records(self._arrays)
        self._names = Names(self._arrays, self._records)

    def __repr__(self) -> str:
        return f"<Graph {self.snapshot.name}: {self._arrays.nodes} columns, {self._arrays.relations} relations>"

    @property
    def arrays(self) -> Arrays:
        """What it is answered from, for those who read all of it."""
        return self._arrays

    def column(self, name: str) -> Column:
        """The column that a name means: `db.t.c`; see `names` for who wins."""
        return self._names.column(name)

    def table(self, name: str) -> Table:
        """The table that a name means."""
        return self._names.table(name)

    def columns(self, table: str | Table) -> list[Column]:
        """The columns of a table, in order, without its row set."""
        found = column_numbers(self._arrays, (table if isinstance(table, Table) else self.table(table)).number)
        return self._records.columns(found.tolist())

    def tables(
        self, like: str | None = None, kinds: Collection[str] = (), limit: int = 100, offset: int = 0
    ) -> tuple[int, list[Table]]:
        """Some tables, by name, and how many there are; those with a name like that, or of some kinds."""
        numbers = np.arange(len(self._arrays.entity_rows)) if like is None else matching_tables(self._arrays, like)
        if kinds:
            wanted = pc.is_in(self._arrays.entity_field("kind"), value_set=pa.array(sorted(kinds), pa.string()))
            numbers = numbers[wanted.to_numpy(zero_copy_only=False)[numbers]]
        return len(numbers), [self._records.table(number) for number in numbers[offset : offset + limit].tolist()]

    def columns_page(self, table: Table, limit: int, offset: int) -> tuple[int, list[Column]]:
        """Some columns of a table, in order, without its row set; and how many there are."""
        nodes = column_numbers(self._arrays, table.number)
        return len(nodes), self._records.columns(nodes[offset : offset + limit].tolist())

    def degree(self, of: Column | Table) -> Degree:
        """How many columns, or tables, data flows from and to directly."""
        if isinstance(of, Table):
            return table_degree(self._arrays, of.number)
        return column_degree(self._arrays, of.node)

    def details(self, table: Table, neighbours: int = 100, statements: int = 20) -> TableDetails:
        """What there is to say about a table: its first neighbours, and the first statements that write and read it."""
        return table_details(self._arrays, self._records, table, neighbours, statements)

    def made_by(self, column: Column, limit: int = 100) -> Uses:
        """The first relations into a column."""
        return uses(self._arrays, self._records, self._arrays.incoming, column, limit)

    def used_by(self, column: Column, limit: int = 100) -> Uses:
        """The first relations out of a column."""
        return uses(self._arrays, self._records, self._arrays.outgoing, column, limit)

    def upstream(
        self,
        of: Asked,
        depth: int | None = None,
        level: Level = "column",
        flow: FlowName = "data",
        foreign_keys: bool = False,
    ) -> Trace:
        """What a column, or a table, is made of."""
        return self._trace(of, Direction.UPSTREAM, depth, level, _flow(flow, foreign_keys))

    def downstream(
        self,
        of: Asked,
        depth: int | None = None,
        level: Level = "column",
        flow: FlowName = "data",
        foreign_keys: bool = False,
    ) -> Trace:
        """What is made of a column, or a table."""
        return self._trace(of, Direction.DOWNSTREAM, depth, level, _flow(flow, foreign_keys))

    def roots(self, of: Asked, flow: FlowName = "data") -> list[Column]:
        """The columns that a column comes from in the end."""
        return self.upstream(of, flow=flow).ends()

    def leaves(self, of: Asked, flow: FlowName = "data") -> list[Column]:
        """The columns that a column ends up in."""
        return self.downstream(of, flow=flow).ends()

    def paths(
        self,
        source: str | Column,
        target: str | Column,
        limit: int = 10,
        flow: FlowName = "data",
        foreign_keys: bool = False,
    ) -> Paths:
        """The ways from a column to another: all columns on them, and the first few spelled out, shortest first."""
        ends = self._column(source), self._column(target)
        return paths(self._arrays, self._records, *ends, _flow(flow, foreign_keys), limit)

    def end_to_end(self, column: str | Column, flow: FlowName = "data") -> list[EndToEnd]:
        """The columns that a column comes from in the end, and how, over all hops."""
        return end_to_end(self._arrays, self._records, self._column(column), _flow(flow, False))

    def find(
        self, text: str, kinds: Collection[str] = (), what: What | None = None, limit: int = 20, offset: int = 0
    ) -> Matches:
        """Tables and columns with words like that in their names, best first; or with a pattern; see the module `find`."""
        found = self._finder.find(text, kinds, what, limit, offset)
        records = self._records
        return Matches(
            tuple(records.column(number) if column else records.table(number) for column, number in found.items),
            found.total,
            found.exact,
        )

    def search(self, pattern: str, limit: int = 100) -> Found:
        """Tables, and apart from them columns, as `find` has them."""
        tables, columns = self.find(pattern, what="table", limit=limit), self.find(pattern, what="column", limit=limit)
        return Found(
            tables=tuple(each for each in tables.items if isinstance(each, Table)),
            columns=tuple(each for each in columns.items if isinstance(each, Column)),
            total=tables.total + columns.total,
            exact=tables.exact and columns.exact,
        )

    @cached_property
    def _finder(self) -> Finder:
        return Finder(self._arrays)

    def neighbourhood(
        self,
        of: Asked,
        upstream: int = 1,
        downstream: int = 1,
        flow: FlowName = "data",
        level: Level = "column",
        tables: int = 60,
        columns: int = 40,
    ) -> Neighbourhood:
        """The graph around a column or table: at most so many tables, the nearest first, and so many columns of each."""
        asked = Around(upstream, downstream, _flow(flow, False), level, tables, columns)
        return neighbourhood(self._arrays, self._records, self.meant(of), asked)

    def impact(self, column: str | Column, change: Change = "drop") -> Impact:
        """What is hit if a column is dropped, renamed or retyped."""
        if change not in ("drop", "rename", "retype"):
            raise ValueError(f"change is 'drop', 'rename' or 'retype', not {change!r}")
        meant = self._column(column)
        return impact(self._arrays, self._records, meant, change, self.lost)

    def unused(self, scope: str | None = None) -> UnusedReport:
        """Columns and tables that nobody reads, among all or those with a name like *scope*."""
        return unused(self._arrays, self._records, self.lost, scope)

    def not_read(self, scope: str | None = None, since: datetime | None = None) -> NotReadReport | None:
        """Columns and tables that nothing that ran has read, by query logs; None if there is no log."""
        ran = self.runs
        return None if ran is None else not_read(self._arrays, self._records, self.lost, ran, scope, since)

    @cached_property
    def runs(self) -> Runs | None:
        """What ran, how often, when and at what cost, by query logs; None if there is no log."""
        return runs(self.snapshot, self._arrays)

    def unused_page(self, like: str | None = None, limit: int = 100, offset: int = 0) -> UnusedPage:
        """Some of the columns, and the first tables, that nobody reads: a part of them, for who looks at a large graph."""
        return unused_page(self._arrays, self._records, self.lost, self._unused, like, limit, offset)

    @cached_property
    def _unused(self) -> UnusedNumbers:
        return unused_numbers(self._arrays)

    def tags(self, governance: Governance | None = None) -> Tags:
        """Which columns carry which tags: what the build was told, what rules say, and all that this flows into."""
        return self._own_tags if governance is None else self._tags(governance)

    def _tags(self, governance: Governance) -> Tags:
        return Tags(self._arrays, self._records, self.snapshot, governance)

    @cached_property
    def _own_tags(self) -> Tags:
        return self._tags(Governance())

    @cached_property
    def scripts(self) -> Scripts:
        """The scripts that the snapshot was built from."""
        return Scripts(self.snapshot, self._arrays, self._records)

    @cached_property
    def coverage(self) -> Coverage:
        """How much of what is written is explained, and what was lost."""
        return coverage(self._arrays, self.snapshot)

    @cached_property
    def lost(self) -> LostStatements:
        """The statements and scripts that were not understood."""
        return LostStatements(self.snapshot, self.scripts, self._records)

    def diagnostics(self, wanted: Wanted, limit: int = 100, offset: int = 0) -> Remarks:
        """What could not be understood, or only guessed."""
        return diagnostics(self.snapshot, self.scripts, wanted, limit, offset)

    def diff(self, other: Graph) -> Diff:
        """What changed from this snapshot to another."""
        return diff(Side(self._arrays, self._records), Side(other._arrays, other._records))

    def _column(self, of: str | Column) -> Column:
        return of if isinstance(of, Column) else self.column(of)

    def _trace(self, of: Asked, direction: Direction, depth: int | None, level: Level, flow: Flow) -> Trace:
        start = self._start(of)
        reach = closure(self._arrays, start, direction, flow, depth)
        return Trace(self._arrays, self._records, start, direction, flow, reach, depth, level)

    def meant(self, of: Asked) -> Column | Table:
        """The column or table that is meant: by a name a table, if it is one's or no column's."""
        if isinstance(of, (Column, Table)):
            return of
        if self._names.is_table(of):
            return self.table(of)
        try:
            return self.column(of)
        except UnknownName as error:
            try:
                return self.table(of)
            except UnknownName as no_table:
                raise (no_table if no_table.suggests and not error.suggests else error) from None

    def _start(self, of: Asked) -> Ints:
        """The nodes of a column, or of a table."""
        found = self.meant(of)
        return self._nodes_of(found) if isinstance(found, Table) else np.array([found.node])

    def _nodes_of(self, table: Table) -> Ints:
        return np.arange(*self._arrays.entity_start[table.number : table.number + 2])


def _flow(name: FlowName, foreign_keys: bool) -> Flow:
    if name not in ("data", "impact"):
        raise ValueError(f"flow is 'data' or 'impact', not {name!r}")
    return Flow(influence=name == "impact", keys=foreign_keys)
