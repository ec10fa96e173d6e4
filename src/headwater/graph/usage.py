"""Use and cost of columns and tables, by what ran: statements of query logs, captured jobs and events.

A statement uses a column if it has a relation from it, referenced keys aside. What it cost counts in full for each column that it reads: it
is the cost of the statements that read the column. Whether a column is used at all is followed through views: who reads a view reads what
the view is made of. Times are microseconds since 1970, as in the store.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.adjacency import KEYS
from headwater.graph.files import Arrays, Ints
from headwater.graph.lost import LostStatement, LostStatements
from headwater.graph.records import Column, Records, Table
from headwater.graph.relation_arrays import layer
from headwater.graph.unused import Doubts, asked_nodes, readers
from headwater.model.entity import EntityKind
from headwater.store import Snapshot

UNITS = ("bytes", "seconds", "credits")
_RAN = pa.array(["log", "captured", "openlineage"])
"""The kinds of scripts that say what ran."""
_NEVER, _SOMETIME = -1, 2**62
"""Instead of a time: it was never used; it was used, and nobody knows when."""
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True, slots=True)
class Runs:
    """What ran, as arrays over the rows of `Arrays.processes`."""

    count: Ints
    last: Ints
    costs: dict[str, Ints]
    """By unit; only those that a log tells."""
    first_time: datetime | None
    last_time: datetime | None
    """The period that the logs are about, if they tell times."""


@dataclass(frozen=True, slots=True)
class Use:
    """How often nodes, or entities, were used, when last, and what the statements cost that did so."""

    count: Ints
    last: Ints
    costs: dict[str, Ints]

    def time(self, number: int) -> datetime | None:
        """When something was used last; None if it never was, or nobody knows."""
        return time_of(int(self.last[number]))


def time_of(last: int) -> datetime | None:
    """A time; None where there is none."""
    return None if last in (_NEVER, _SOMETIME) else _EPOCH + timedelta(microseconds=last)


def runs(snapshot: Snapshot, arrays: Arrays) -> Runs | None:
    """What ran; None if no log says anything."""
    scripts = snapshot.table("scripts", ["script_id", "kind", "first_seen", "last_seen"])
    scripts = scripts.filter(pc.is_in(scripts.column("kind"), value_set=_RAN))
    if not len(scripts):
        return None
    table = snapshot.table("statements", ["process_id", "script_id", "seen", *UNITS])
    at = pc.index_in(table.column("script_id"), value_set=scripts.column("script_id").combine_chunks())
    known = arrays.processes.column("process_id").combine_chunks()
    process = pc.index_in(table.column("process_id"), value_set=known)
    told = pc.and_(pc.is_valid(at), pc.is_valid(process))
    table, at, process = table.filter(told), at.filter(told), process.filter(told).to_numpy()
    time = pc.fill_null(scripts.column("last_seen").take(at).cast(pa.int64()), _SOMETIME).to_numpy()
    last = np.full(len(known), _NEVER, np.int64)
    np.maximum.at(last, process, time)

    def total(name: str) -> Ints:
        values = pc.fill_null(table.column(name).cast(pa.float64()), 0).to_numpy()
        return np.bincount(process, values, len(known))

    costs = {name: total(name) for name in UNITS if table.column(name).null_count < len(table)}
    ends = (pc.min(scripts.column("first_seen")).as_py(), pc.max(scripts.column("last_seen")).as_py())
    return Runs(total("seen"), last, costs, *ends)


def column_use(arrays: Arrays, ran: Runs) -> Use:
    """The use of columns, by node."""
    return _use(*_reads(arrays, ran), arrays.nodes, ran)


def table_use(arrays: Arrays, ran: Runs) -> Use:
    """The use of tables, by entity: of any of their columns, or of their rows."""
    nodes, processes = _reads(arrays, ran)
    return _use(arrays.node_entity[nodes], processes, len(arrays.entity_rows), ran)


def _reads(arrays: Arrays, ran: Runs) -> tuple[Ints, Ints]:
    """Pairs of nodes and processes that ran and read them."""
    process = arrays.relation_process
    flowing = _flowing(arrays) & (process >= 0)
    flowing[flowing] = ran.count[process[flowing]] > 0
    return arrays.relation_source[flowing], process[flowing]


def _flowing(arrays: Arrays) -> Ints:
    """Of each relation, whether it says that a column is read."""
    layers = np.array([layer(m.kind) for m in arrays.meanings], dtype=np.int8)
    if not len(layers):
        return np.zeros(arrays.relations, dtype=bool)
    found: Ints = (layers[arrays.relation_kind] != KEYS) & (arrays.relation_source != arrays.relation_target)
    return found


def _use(of: Ints, processes: Ints, count: int, ran: Runs) -> Use:
    width = np.int64(max(len(ran.count), 1))
    pairs = np.unique(of.astype(np.int64) * width + processes)
    of, processes = pairs // width, pairs % width
    last = np.full(count, _NEVER, np.int64)
    np.maximum.at(last, of, ran.last[processes])
    costs = {name: np.bincount(of, values[processes], count) for name, values in ran.costs.items()}
    return Use(np.bincount(of, ran.count[processes], count).astype(np.int64), last, costs)


@dataclass(frozen=True, slots=True)
class NotRead:
    """A column that nothing that ran has read, in the period asked for."""

    column: Column
    last: datetime | None
    """When it was read before."""
    in_scripts: bool
    """Whether a statement reads it that is not known to have run."""
    not_understood: int
    """Statements that name its table and were not understood: they may read it."""


@dataclass(frozen=True, slots=True)
class NotReadReport:
    """What nothing that ran has read."""

    first: datetime | None
    last: datetime | None
    """The period of the logs."""
    columns: tuple[NotRead, ...]
    """Columns of tables that were read."""
    tables: tuple[Table, ...]
    """Tables of which nothing was read."""
    not_understood: tuple[LostStatement, ...]

    @property
    def certain(self) -> tuple[NotRead, ...]:
        """Columns that no statement can have read: all that name their tables were understood."""
        return tuple(each for each in self.columns if not each.not_understood)


def not_read(
    arrays: Arrays, records: Records, lost: LostStatements, ran: Runs, scope: str | None, since: datetime | None
) -> NotReadReport:
    """The columns and tables, among those whose names match, that nothing that ran since a time has read."""
    last = _through_views(arrays, column_use(arrays, ran).last)
    start = 0 if since is None else round((since - _EPOCH).total_seconds() * 1e6)
    read = last >= start
    table_read = np.zeros(len(arrays.entity_rows), dtype=bool)
    table_read[arrays.node_entity[read]] = True
    asked = asked_nodes(arrays, scope)
    explicit, starred = readers(arrays)
    doubts = Doubts(arrays, records, lost)

    def columns() -> Iterator[NotRead]:
        for node in np.flatnonzero(asked & ~read & table_read[arrays.node_entity]).tolist():
            column = records.column(node)
            elsewhere = bool((explicit[node] or starred[node]) and last[node] == _NEVER)
            yield NotRead(column, time_of(int(last[node])), elsewhere, len(doubts.of(column.table)))

    found = tuple(columns())
    unread = np.unique(arrays.node_entity[asked & ~table_read[arrays.node_entity]])
    tables = tuple(records.table(number) for number in unread.tolist())
    named = dict.fromkeys((*(each.column.table for each in found), *tables))
    statements = dict.fromkeys(each for table in named for each in doubts.of(table))
    return NotReadReport(ran.first_time, ran.last_time, found, tables, tuple(statements))


def _through_views(arrays: Arrays, last: Ints) -> Ints:
    """Times of use, where who uses a view uses what it is made of."""
    kinds = np.array([kind == EntityKind.VIEW for kind in arrays.entity_field("kind").to_pylist()], dtype=bool)
    made = _flowing(arrays)
    made[made] = kinds[arrays.node_entity[arrays.relation_target[made]]]
    sources, targets = arrays.relation_source[made], arrays.relation_target[made]
    found = last.copy()
    while True:
        before = found.copy()
        np.maximum.at(found, sources, before[targets])
        if np.array_equal(found, before):
            return found
