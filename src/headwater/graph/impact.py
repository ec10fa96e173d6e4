"""What a change of a column does to others: every column that is hit, how badly, and why.

In goes a column and a change, out come hits. A hit is worked out hop by hop: what has happened to a source decides, together with how
the target uses it, what happens to the target (`rules` has the table). A column that several ways hit keeps the worst.

A statement that fails, fails as a whole: it takes along the other columns that it makes in that table, not only the one whose expression
names the changed column.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from headwater.graph.adjacency import Flow
from headwater.graph.files import Arrays
from headwater.graph.impact_rules import Change, Fate, Verdict, fate_of, first_fate, outcome
from headwater.graph.records import Column, Hop, Records, Table
from headwater.model.entity import SEMANTIC, EntityKind

Severity = Literal["high", "medium", "low", "info"]
_FOLLOWED = Flow(influence=True, keys=True)
_MADE = Flow(influence=True)
_READ_ANEW = frozenset({EntityKind.VIEW, EntityKind.RESULT_SET}) | SEMANTIC


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


@dataclass(frozen=True, slots=True)
class Impact:
    """What a change does."""

    column: Column
    change: Change
    hits: tuple[Hit, ...]
    """The worst first, then the nearest."""

    def of(self, verdict: Verdict) -> list[Hit]:
        """The hits of a verdict."""
        return [hit for hit in self.hits if hit.verdict == verdict]

    def tables(self) -> dict[Table, Verdict]:
        """The tables, views, metrics, charts, … that are hit, each with the worst that happens to it."""
        found: dict[Table, Verdict] = {}
        for hit in self.hits:
            found.setdefault(hit.column.table, hit.verdict)
        return found

    @property
    def breaking(self) -> bool:
        """Whether anything breaks."""
        return any(hit.verdict == "breaking" for hit in self.hits)


@dataclass(frozen=True, slots=True)
class _State:
    """What happened to a node: its fate, how far it is, through which relation, and whether as a part of a statement that fails."""

    fate: Fate
    distance: int
    relation: int
    along: bool = False


def impact(arrays: Arrays, records: Records, column: Column, change: Change) -> Impact:
    """What is hit if a column is dropped, renamed or retyped."""
    states = _Spread(arrays, records, column, change).states
    hits = [_hit(records, node, state) for node, state in states.items() if state.relation >= 0]
    order = {"breaking": 0, "maybe": 1, "harmless": 2}
    hits.sort(key=lambda hit: (order[hit.verdict], hit.distance, str(hit.column)))
    return Impact(column, change, tuple(hits))


class _Spread:
    """Follows a change through the graph, the worst fate first, so that each node is settled once."""

    def __init__(self, arrays: Arrays, records: Records, column: Column, change: Change) -> None:
        self._arrays = arrays
        self._records = records
        self._change = change
        self.states: dict[int, _State] = {}
        self._pending: list[tuple[int, int, int, int, bool]] = []
        self._push(column.node, _State(first_fate(change), 0, -1))
        while self._pending:
            self._settle()

    def _push(self, node: int, state: _State) -> None:
        heapq.heappush(self._pending, (state.fate, state.distance, node, state.relation, state.along))

    def _settle(self) -> None:
        fate, distance, node, relation, along = heapq.heappop(self._pending)
        if node in self.states:
            return
        state = self.states[node] = _State(Fate(fate), distance, relation, along)
        for following in self._relations(node):
            self._follow(state, following)
        if outcome(state.fate).spreads_over_rows:
            self._over_rows(node, state)

    def _relations(self, node: int) -> list[int]:
        side = self._arrays.outgoing
        found: list[int] = side.relations[side.positions(np.array([node]), _FOLLOWED)].tolist()
        return found

    def _follow(self, state: _State, relation: int) -> None:
        target = int(self._arrays.relation_target[relation])
        meaning = self._arrays.meanings[int(self._arrays.relation_kind[relation])]
        read_anew = self._read_anew(target)
        fate = fate_of(state.fate, meaning, read_anew)
        if fate is None:
            return
        self._push(target, _State(fate, state.distance + 1, relation))
        if outcome(fate).takes_along:
            for other in self._made_by_same(target, relation):
                self._push(other, _State(fate, state.distance + 1, relation, along=True))

    def _read_anew(self, target: int) -> bool:
        """Whether the target is worked out whenever it is read, as a view is, and has no content of its own."""
        kind = self._records.table(int(self._arrays.node_entity[target])).kind
        return kind in _READ_ANEW

    def _made_by_same(self, target: int, relation: int) -> Iterator[int]:
        """The other columns of a table that the statement makes which makes this one."""
        arrays = self._arrays
        entity, process = int(arrays.node_entity[target]), arrays.relation_process[relation]
        nodes = np.arange(arrays.entity_start[entity], arrays.entity_start[entity + 1])
        owners = arrays.incoming.owners(nodes, _MADE)
        relations = arrays.incoming.relations[arrays.incoming.positions(nodes, _MADE)]
        made = np.unique(owners[arrays.relation_process[relations] == process])
        yield from (node for node in made.tolist() if node != target)

    def _over_rows(self, node: int, state: _State) -> None:
        """What happened to a row set happened to the columns of its entity."""
        arrays = self._arrays
        entity = int(arrays.node_entity[node])
        if int(arrays.entity_rows[entity]) == node:
            for other in range(int(arrays.entity_start[entity]), int(arrays.entity_start[entity + 1])):
                self._push(other, _State(state.fate, state.distance, state.relation, along=True))


def _hit(records: Records, node: int, state: _State) -> Hit:
    column, hop = records.column(node), records.hop(state.relation)
    what = outcome(state.fate)
    severity = what.severity
    if what.verdict == "breaking" and column.table.kind == EntityKind.RESULT_SET:
        severity = "medium"
    reason = what.along if state.along else what.reason
    return Hit(column, what.verdict, severity, reason.format(source=hop.source, how=hop.how), state.distance, hop)
