"""The lineage of one column or table of a store: found in the graph's arrays, so that only its own records are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from headwater.export.feed import Feed, Part, Scope
from headwater.export.focus import Focus, FocusFeed, Reach
from headwater.export.format import ExportError
from headwater.export.records import Entity, Process, Relation, TableRelation
from headwater.feeds.store_feed import StoreFeed
from headwater.graph import UnknownName
from headwater.graph.adjacency import Flow
from headwater.graph.closure import Direction, closure, side
from headwater.graph.files import Ints
from headwater.model.entity import EntityKind
from headwater.model.kind import FOREIGN_KEY, KINDS

if TYPE_CHECKING:
    from typing_extensions import Self

_AT_ONCE = 2000
"""Columns whose relations are read together."""
_KEY = KINDS[FOREIGN_KEY].clause


def store_focus(feed: StoreFeed, focus: Focus) -> Feed:
    """A store's feed restricted to a lineage; what is inside of statements is followed through all of the store."""
    if feed.scope.level == "complete" and feed.scope.intermediate:
        return FocusFeed(feed, focus)
    return StoreFocusFeed(feed, focus)


class StoreFocusFeed(FocusFeed):
    """Those records of a store that belong to the lineage of one column or table, at the column or table level."""

    _feed: StoreFeed

    def scoped(self, scope: Scope) -> Self:
        """The same lineage, of which something else is told."""
        return type(self)(self._feed.scoped(scope), self._focus)

    def _reached(self, focus: Focus) -> tuple[Iterable[int], Reach, Reach]:
        try:
            begun = self._feed.graph.upstream(focus.name, depth=1).start
        except UnknownName as error:
            raise ExportError(str(error)) from error
        start = np.array([column.node for column in begun], np.int64)
        up, down = Reach(), Reach()
        if focus.direction != "downstream":
            up = self._reach(start, Direction.UPSTREAM, focus.depth)
        if focus.direction != "upstream":
            down = self._reach(start, Direction.DOWNSTREAM, focus.depth)
        return self._ids(start), up, down

    def _reach(self, start: Ints, direction: Direction, depth: int | None) -> Reach:
        arrays, flow = self._feed.graph.arrays, Flow(influence=self.scope.impact)
        followed = closure(arrays, start, direction, flow, depth).within(depth)
        neighbours = side(arrays, direction)
        relations = neighbours.relations[neighbours.positions(followed, flow)]
        relations = relations[arrays.relation_process[relations] >= 0]
        ends = np.union1d(arrays.relation_source[relations], arrays.relation_target[relations])
        made = self._feed.records.process_numbers(np.unique(arrays.relation_process[relations]))
        return Reach(set(self._ids(followed)), set(self._ids(ends)), set(made.tolist()))

    def _ids(self, nodes: Ints) -> list[int]:
        found: list[int] = (nodes.astype(np.int64) + self._feed.records.first_column).tolist()
        return found

    @property
    def _nodes(self) -> Ints:
        """The columns of the lineage, as the graph numbers them."""
        return np.array(sorted(self._columns), np.int64) - self._feed.records.first_column

    def processes(self) -> Iterator[Process]:
        """The processes that make the relations."""
        return map(self._feed.process, sorted(self._processes))

    def entities(self) -> Iterator[Entity]:
        """The entities of the lineage, with those of their columns that belong to it."""
        owners = np.unique(self._feed.graph.arrays.node_entity[self._nodes]).tolist()
        return (self.entity(self._feed.records.first_entity + owner) for owner in owners)

    def parts(self) -> Iterator[Part]:
        """The relations of the lineage."""
        nodes = self._nodes
        for first in range(0, len(nodes), _AT_ONCE):
            relations = tuple(self.kept(self._feed.relations_into(nodes[first : first + _AT_ONCE])))
            if relations:
                yield Part((), relations)

    def statements(self) -> Iterator[tuple[Process, list[Relation]]]:
        """The processes of the lineage with its relations of the column level."""
        found: dict[int, list[Relation]] = {process: [] for process in sorted(self._processes)}
        for relation in self.relations():
            if relation.process in found:
                found[relation.process].append(relation)
        return ((self._feed.process(process), relations) for process, relations in found.items())

    def table_relations(self) -> Iterator[TableRelation]:
        """The relations between tables that relations of the lineage stand behind."""
        found = {
            (relation.target.entity, source.end.entity, relation.process): (source.end, relation.target)
            for relation in self.relations()
            for source in relation.sources
            if source.end.kind is not EntityKind.ORPHAN and source.kind.clause != _KEY
        }
        for (target, source, process), ends in sorted(found.items()):
            yield TableRelation(source, ends[0].entity_name, process, target, ends[1].entity_name)
