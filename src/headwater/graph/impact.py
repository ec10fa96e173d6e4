"""What a change of a column does to others: every column that is hit, how badly, and why.

In goes a column and a change, out come hits. A hit is worked out hop by hop: what has happened to a source decides, together with how
the target uses it, what happens to the target (`rules` has the table). A column that several ways hit keeps the worst.

A statement that fails, fails as a whole: it takes along the other columns that it makes in that table, not only the one whose expression
names the changed column. Columns of the table that other statements fill may only lack rows. What has the same fate at the same distance
is followed together, the worst and nearest first, so that each column is settled once; records are made only of what is looked at.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.adjacency import Flow, ranges
from headwater.graph.fields import FIELD
from headwater.graph.files import CONSTANT, ROW_SET, Arrays, Ints
from headwater.graph.impact_rules import Change, Fate, Target, Verdict, fate_of, first_fate, outcome
from headwater.graph.lost import LostStatement, LostStatements
from headwater.graph.records import Column, Hop, Records, Table
from headwater.model.entity import SEMANTIC, EntityKind

Severity = Literal["high", "medium", "low", "info"]
VERDICTS: tuple[Verdict, ...] = ("breaking", "maybe", "harmless")
"""The worst first."""
_FOLLOWED = Flow(influence=True, keys=True)
_MADE = Flow(influence=True)
READ_ANEW = frozenset({EntityKind.VIEW, EntityKind.RESULT_SET}) | SEMANTIC
FILLS = frozenset(
    {"Insert", "Update", "Merge", "Copy", "Load", "Hive Load", "Bulk Insert", "Import", "Apply Changes", "Delete"}
)
"""Types of statements that write into a table which is there already."""
_UNCHANGED = -1


@dataclass(frozen=True, slots=True)
class Hit:
    """A column that a change hits."""

    column: Column
    verdict: Verdict
    severity: Severity
    reason: str
    distance: int
    hop: Hop
    """The relation through which it is hit."""


class Impact:
    """What a change does."""

    def __init__(
        self,
        records: Records,
        arrays: Arrays,
        column: Column,
        change: Change,
        lost: LostStatements | None = None,
    ) -> None:
        self.column = column
        self.change: Change = change
        self._lost = lost
        self._records = records
        self._arrays = arrays
        found = _Spread(arrays, column, change).settled()
        worst = np.array([VERDICTS.index(outcome(fate).verdict) for fate in Fate])
        self._verdicts = worst[found.fates]
        order = np.lexsort((found.nodes, found.distances, self._verdicts))
        self._verdicts, self._hits = self._verdicts[order], found.take(order)

    @cached_property
    def not_understood(self) -> tuple[LostStatement, ...]:
        """Statements that name the column's table, or one that is hit, and were not understood: they may use the column.

        A synonym or view hands the column on under another name, and a statement may name only that.
        """
        if self._lost is None or not self._lost:
            return ()
        hit = [table for table, verdict in self.tables().items() if verdict != "harmless"]
        named = [table for table in hit if table.kind != EntityKind.RESULT_SET]
        return self._lost.naming(*map(self._records.own_name, (self.column.table, *named)))

    @cached_property
    def hits(self) -> tuple[Hit, ...]:
        """All hits: the worst first, then the nearest, then by table and column."""
        return tuple(self.page(None, len(self._verdicts), 0))

    def page(self, verdict: Verdict | None, limit: int, offset: int) -> list[Hit]:
        """Some of the hits, or of those of a verdict."""
        first, behind = 0, len(self._verdicts)
        if verdict is not None:
            own = VERDICTS.index(verdict)
            first, behind = (int(np.searchsorted(self._verdicts, own, side)) for side in ("left", "right"))
        at = np.arange(first + min(offset, behind - first), min(behind, first + offset + limit))
        part = self._hits.take(at)
        hops = self._records.hops(part.relations)
        rows = zip(
            part.nodes.tolist(), part.fates.tolist(), part.distances.tolist(), part.along.tolist(), hops, strict=True
        )
        return [self._hit(*row) for row in rows]

    def _hit(self, node: int, fate: int, distance: int, along: bool, hop: Hop) -> Hit:
        column, what = self._records.column(node), outcome(Fate(fate))
        severity = what.severity
        if what.verdict == "breaking" and column.table.kind == EntityKind.RESULT_SET:
            severity = "medium"
        reason = (what.along if along else what.reason).format(source=hop.source, how=hop.how)
        return Hit(column, what.verdict, severity, reason, distance, hop)

    def of(self, verdict: Verdict) -> list[Hit]:
        """The hits of a verdict."""
        return self.page(verdict, len(self._verdicts), 0)

    def counts(self) -> dict[Verdict, int]:
        """How many columns are hit, by verdict."""
        counts = np.bincount(self._verdicts, minlength=len(VERDICTS)).tolist()
        return dict(zip(VERDICTS, counts, strict=True))

    def tables(self, limit: int | None = None) -> dict[Table, Verdict]:
        """The tables, views, metrics, charts, … that are hit, each with the worst that happens to it; the worst first."""
        owners, first = np.unique(self._arrays.node_entity[self._hits.nodes], return_index=True)
        order = np.argsort(first)[:limit]
        pairs = zip(owners[order].tolist(), self._verdicts[first[order]].tolist(), strict=True)
        return {self._records.table(owner): VERDICTS[verdict] for owner, verdict in pairs}

    @property
    def breaking(self) -> bool:
        """Whether anything breaks."""
        return bool(self._verdicts.size) and bool(self._verdicts[0] == 0)

    @property
    def safe(self) -> bool:
        """Whether nothing breaks for certain: nothing that is known, and nothing that was not understood."""
        return not self.breaking and not self.not_understood


def impact(arrays: Arrays, records: Records, column: Column, change: Change, lost: LostStatements) -> Impact:
    """What is hit if a column is dropped, renamed or retyped."""
    return Impact(records, arrays, column, change, lost)


@dataclass(frozen=True, slots=True)
class _States:
    """What happened to nodes: their fates, how far they are, through which relations, and whether as a part of a statement that fails."""

    nodes: Ints
    fates: Ints
    distances: Ints
    relations: Ints
    along: Ints

    def take(self, at: Ints) -> _States:
        return _States(self.nodes[at], self.fates[at], self.distances[at], self.relations[at], self.along[at])


@dataclass(frozen=True, slots=True)
class _Pushed:
    """Nodes that are hit, each through a relation."""

    nodes: Ints
    relations: Ints
    along: bool


class _Spread:
    """Follows a change through the graph."""

    def __init__(self, arrays: Arrays, column: Column, change: Change) -> None:
        self._arrays = arrays
        self._fates = _fate_table(arrays)
        self._star = np.array([meaning.star for meaning in arrays.meanings], dtype=bool)
        self._field = np.array([meaning.kind.clause == FIELD for meaning in arrays.meanings], dtype=bool)
        self._read_anew = _among(arrays.entity_field("kind"), (kind.value for kind in READ_ANEW))
        self._fills = _among(arrays.processes.column("type"), FILLS)
        self._seen = np.zeros(arrays.nodes, dtype=bool)
        self._pending: list[tuple[int, int]] = []
        self._pushed: dict[tuple[int, int], list[_Pushed]] = {}
        self._settled: list[_States] = []
        self._push(int(first_fate(change)), 0, _Pushed(np.array([column.node]), np.array([_UNCHANGED]), False))
        if change != "retype":
            self._hit(int(Fate.LEFT_OUT_BY_NAME), 1, *left_out(arrays, column))
        while self._pending:
            self._settle(*heapq.heappop(self._pending))

    def settled(self) -> _States:
        """All nodes that are hit."""
        fields = ("nodes", "fates", "distances", "relations", "along")
        found = _States(*(np.concatenate([getattr(each, name) for each in self._settled]) for name in fields))
        return found.take(np.flatnonzero(found.relations != _UNCHANGED))

    def _push(self, fate: int, distance: int, pushed: _Pushed) -> None:
        if not pushed.nodes.size:
            return
        if (fate, distance) not in self._pushed:
            self._pushed[fate, distance] = []
            heapq.heappush(self._pending, (fate, distance))
        self._pushed[fate, distance].append(pushed)

    def _settle(self, fate: int, distance: int) -> None:
        nodes, relations, along = self._fresh(self._pushed.pop((fate, distance)))
        same = (np.full(len(nodes), fate, np.int8), np.full(len(nodes), distance, np.int32))
        self._settled.append(_States(nodes, *same, relations, along))
        self._follow(nodes, fate, distance + 1)
        if outcome(Fate(fate)).spreads_over_rows:
            self._push(fate, distance, self._over_rows(nodes, relations))

    def _fresh(self, pushed: list[_Pushed]) -> tuple[Ints, Ints, Ints]:
        """The nodes that were not settled before, each with the first relation that it is hit through."""
        nodes = np.concatenate([each.nodes for each in pushed])
        relations = np.concatenate([each.relations for each in pushed])
        along = np.concatenate([np.full(len(each.nodes), each.along) for each in pushed])
        new = np.flatnonzero(~self._seen[nodes])
        order = new[np.lexsort((along[new], relations[new], nodes[new]))]
        first = order[np.flatnonzero(np.diff(nodes[order], prepend=-1))]
        self._seen[nodes[first]] = True
        return nodes[first], relations[first], along[first]

    def _follow(self, nodes: Ints, fate: int, distance: int) -> None:
        """Hit what uses nodes that have a fate."""
        arrays, side = self._arrays, self._arrays.outgoing
        positions = side.positions(nodes, _FOLLOWED)
        relations, targets = side.relations[positions], side.neighbours[positions]
        merged = np.zeros(len(relations), dtype=np.int8)
        if fate in (Fate.GONE, Fate.RENAMED):
            inner = ~self._field[arrays.relation_kind[relations]] | self._is_part(relations)
            relations, targets, merged = relations[inner], targets[inner], merged[inner]
            stars = np.flatnonzero(self._star[arrays.relation_kind[relations]])
            merged[stars] = self._are_merged(relations[stars], targets[stars])
        fates = self._fates[fate][merged, self._targets(relations, targets), arrays.relation_kind[relations]]
        for each in np.unique(fates[fates >= 0]).tolist():
            own = fates == each
            self._hit(each, distance, targets[own], relations[own])

    def _hit(self, fate: int, distance: int, targets: Ints, relations: Ints) -> None:
        """Give nodes a fate, and what shares it with them."""
        self._push(fate, distance, _Pushed(targets, relations, False))
        if outcome(Fate(fate)).takes_along and targets.size:
            made = self._made_by_same(targets, relations)
            self._push(fate, distance, made)
            if fate == Fate.NOT_FILLED:
                constants, others = self._beside(made)
                self._push(fate, distance, constants)
                self._push(int(Fate.PARTLY_FILLED), distance, others)

    def _targets(self, relations: Ints, targets: Ints) -> Ints:
        """What the statements of relations do with the tables of their targets, as numbers of `Target`."""
        arrays = self._arrays
        process = arrays.relation_process[relations]
        fills = self._fills[process] & (process >= 0) if len(self._fills) else np.zeros(len(relations), dtype=bool)
        written = np.where(fills, Target.FILLED, Target.MADE)
        return np.where(self._read_anew[arrays.node_entity[targets]], Target.READ_ANEW, written)

    def _is_part(self, relations: Ints) -> Ints:
        """Of relations between a column and its fields, whether they lead to the field: only the field is gone with the whole."""
        arrays = self._arrays
        ends = (arrays.names.take(pa.array(arrays.node_name[each[relations]])) for each in _ends(arrays))
        lengths = [pc.utf8_length(names).to_numpy(zero_copy_only=False) for names in ends]
        found: Ints = lengths[1] > lengths[0]
        return found

    def _are_merged(self, relations: Ints, targets: Ints) -> Ints:
        """Of relations through `*`, whether their statement also fills the target through the `*` of another table."""
        arrays, side = self._arrays, self._arrays.incoming
        positions = side.positions(np.unique(targets), _MADE)
        near = side.relations[positions]
        near = near[self._star[arrays.relation_kind[near]]]
        columns = (arrays.relation_target, arrays.relation_process)
        rows = [*(each[near] for each in columns), arrays.node_entity[arrays.relation_source[near]]]
        distinct = np.unique(np.stack(rows, axis=1).astype(np.int64), axis=0)
        pairs, counts = np.unique(distinct[:, :2], axis=0, return_counts=True)
        several = {(target, process) for target, process in pairs[counts > 1].tolist()}
        own = zip(*(each[relations].tolist() for each in columns), strict=True)
        return np.fromiter((pair in several for pair in own), dtype=bool, count=len(relations))

    def _made_by_same(self, targets: Ints, relations: Ints) -> _Pushed:
        """The columns that the statements make which make these, in the same tables."""
        arrays, width = self._arrays, np.int64(self._arrays.processes.count + 1)
        owners = arrays.node_entity[targets].astype(np.int64)
        made, at = np.unique(owners * width + arrays.relation_process[relations], return_inverse=True)
        first = np.full(len(made), np.iinfo(np.int64).max)
        np.minimum.at(first, at, relations)
        tables = np.unique(owners)
        nodes = ranges(arrays.entity_start[tables].astype(np.int64), arrays.entity_start[tables + 1].astype(np.int64))
        others = arrays.incoming.owners(nodes, _MADE)
        theirs = arrays.relation_process[arrays.incoming.relations[arrays.incoming.positions(nodes, _MADE)]]
        keys = arrays.node_entity[others].astype(np.int64) * width + theirs
        where = np.minimum(np.searchsorted(made, keys), len(made) - 1)
        same = made[where] == keys
        return _Pushed(others[same], first[where[same]], True)

    def _beside(self, made: _Pushed) -> tuple[_Pushed, _Pushed]:
        """The constants that failing statements alone give their tables, and the other columns of tables whose rows they decide over."""
        arrays = self._arrays
        rows = np.flatnonzero(arrays.node_flags[made.nodes] & ROW_SET != 0)
        tables, first = np.unique(arrays.node_entity[made.nodes[rows]], return_index=True)
        starts, stops = (arrays.entity_start[tables + i].astype(np.int64) for i in (0, 1))
        nodes = ranges(starts, stops)
        relations = np.repeat(made.relations[rows[first]], stops - starts)
        alone = np.repeat([self._has_one_writer(table) for table in tables.tolist()], stops - starts).astype(bool)
        constant = alone & (arrays.node_flags[nodes] & CONSTANT != 0)
        return _Pushed(nodes[constant], relations[constant], True), _Pushed(
            nodes[~constant], relations[~constant], False
        )

    def _has_one_writer(self, table: int) -> bool:
        arrays = self._arrays
        nodes = np.arange(arrays.entity_start[table], arrays.entity_start[table + 1])
        relations = arrays.incoming.relations[arrays.incoming.positions(nodes, _MADE)]
        return len(np.unique(arrays.relation_process[relations])) == 1

    def _over_rows(self, nodes: Ints, relations: Ints) -> _Pushed:
        """What happened to a row set happened to the columns of its entity."""
        arrays = self._arrays
        rows = arrays.node_flags[nodes] & ROW_SET != 0
        entities = arrays.node_entity[nodes[rows]]
        starts, stops = (arrays.entity_start[entities + i].astype(np.int64) for i in (0, 1))
        return _Pushed(ranges(starts, stops), np.repeat(relations[rows], stops - starts), True)


def left_out(arrays: Arrays, column: Column) -> tuple[Ints, Ints]:
    """Targets and relations of the statements that leave a column out of a `*` by name: no relation leads from it."""
    table = arrays.node_entity[column.node]
    nodes = np.arange(arrays.entity_start[table], arrays.entity_start[table + 1])
    side = arrays.outgoing
    positions = side.positions(nodes, _MADE)
    relations, targets = side.relations[positions], side.neighbours[positions]
    using = arrays.relation_process[side.relations[side.positions(np.array([column.node]), _MADE)]]
    process = arrays.relation_process[relations]
    word = re.compile(rf"\b(?:EXCEPT|EXCLUDE)\b[^()]*\(?[^()]*\b{re.escape(column.name)}\b", re.IGNORECASE)
    naming = [
        number
        for number in np.unique(process[(process >= 0) & ~np.isin(process, using)]).tolist()
        if word.search(arrays.processes.row(number)["text"] or "")
    ]
    found = np.isin(process, naming)
    return targets[found], relations[found]


def _among(values: pa.Array | pa.ChunkedArray, wanted: Iterable[str]) -> Ints:
    """Of each value, whether it is one of those wanted."""
    found = pc.is_in(values, value_set=pa.array(sorted(wanted)))
    return np.asarray(found.to_numpy(zero_copy_only=False) if isinstance(found, pa.Array) else found.to_numpy(), bool)


def _ends(arrays: Arrays) -> tuple[Ints, Ints]:
    return arrays.relation_source, arrays.relation_target


def _fate_table(arrays: Arrays) -> Ints:
    """What becomes of a column, by the fate of its source, by what `fate_of` asks besides, and by the kind of the relation; -1: nothing."""
    found = [
        [
            [[_number(fate_of(fate, meaning, target, merged)) for meaning in arrays.meanings] for target in Target]
            for merged in (False, True)
        ]
        for fate in Fate
    ]
    return np.array(found, np.int8).reshape(len(Fate), 2, len(Target), len(arrays.meanings))


def _number(fate: Fate | None) -> int:
    return -1 if fate is None else int(fate)
