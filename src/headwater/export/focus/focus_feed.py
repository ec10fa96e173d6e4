"""A feed restricted to the lineage of one column or table, so that a picture of it is small enough to look at.

Relations are read once, into arrays of column ids; what is reached is found there. As everywhere, joins and foreign keys are shown but not
followed, what makes a struct makes its fields, and where influence is told a column belongs to the row set of its entity at no distance.
Only columns that outlive their statement count as hops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from headwater.export.feed import Feed, Part, Scope
from headwater.export.focus.arrows import Arrows
from headwater.export.focus.names import find
from headwater.export.records import Entity, Procedure, Process, Relation, Remark, Script, Source, TableRelation
from headwater.model.kind import FOREIGN_KEY, JOIN_TYPE, KINDS

if TYPE_CHECKING:
    from typing_extensions import Self

Direction = Literal["upstream", "downstream", "both"]
DIRECTIONS: tuple[Direction, ...] = ("upstream", "downstream", "both")

_KEY = KINDS[FOREIGN_KEY].clause
_NO_PROCESS = 0
"""Of arrows between a struct column and its fields, which no statement made."""


@dataclass(frozen=True, slots=True)
class Focus:
    """Whose lineage is told: of a column or table by its name, where it comes from or where it goes to, and how many hops far."""

    name: str
    direction: Direction = "both"
    depth: int | None = None


class FocusFeed(Feed):
    """Those records of a feed that belong to the lineage of one column or table."""

    def __init__(self, feed: Feed, focus: Focus) -> None:
        super().__init__(feed.scope)
        self._feed = feed
        self._focus = focus
        start, self._up, self._down = self._reached(focus)
        self._columns = {*start, *self._up.touched, *self._down.touched}
        self._processes = self._up.processes | self._down.processes

    def _reached(self, focus: Focus) -> tuple[Iterable[int], Reach, Reach]:
        """The columns that are meant, and what is reached upstream and downstream of them."""
        feed = self._feed
        start = find(feed, focus.name).columns
        outgoing, columns_of = Arrows(_followed(feed)), Arrows(_belonging(feed))
        rows_of, nothing = columns_of.turned(), Arrows()
        up, down = Reach(), Reach()
        if focus.direction != "downstream":
            belonging = rows_of if feed.scope.impact else nothing
            up.walk(start, outgoing.turned(), belonging, rows_of.knows, focus.depth)
        if focus.direction != "upstream":
            belonging = columns_of if feed.scope.impact else nothing
            down.walk(start, outgoing, belonging, rows_of.knows, focus.depth)
        return start, up, down

    def scoped(self, scope: Scope) -> Self:
        """The same lineage, of which something else is told; of another level, what is reached is found anew."""
        feed = self._feed.scoped(scope)
        if replace(scope, places=self.scope.places) != self.scope:
            return type(self)(feed, self._focus)
        other = super().scoped(scope)
        other._feed = feed
        return other

    @property
    def dialect(self) -> str:
        """The dialect of most statements."""
        return self._feed.dialect

    def scripts(self) -> Iterator[Script]:
        """The scripts, all of them: places name them by number."""
        return self._feed.scripts()

    def processes(self) -> Iterator[Process]:
        """The processes that make the relations."""
        return (process for process in self._feed.processes() if process.id in self._processes)

    def process(self, id: int) -> Process:
        """A process, by its id."""
        return self._feed.process(id)

    def procedures(self) -> Iterator[Procedure]:
        """The procedures in which the processes stand."""
        names = {process.procedure.casefold() for process in self.processes()}
        return (each for each in self._feed.procedures() if each.name.casefold() in names)

    def entities(self) -> Iterator[Entity]:
        """The entities of the lineage, with those of their columns that belong to it."""
        return self._touched(self._feed.entities())

    def entity(self, id: int) -> Entity:
        """One of those entities, by its id."""
        return self._only(self._feed.entity(id))

    def parts(self) -> Iterator[Part]:
        """The relations of the lineage."""
        for part in self._feed.parts():
            entities, relations = tuple(self._touched(part.entities)), tuple(self.kept(part.relations))
            if entities or relations:
                yield Part(entities, relations)

    def statements(self) -> Iterator[tuple[Process, list[Relation]]]:
        """The processes of the lineage with its relations of the column level."""
        for process, relations in self._feed.statements():
            if process.id in self._processes:
                yield process, list(self.kept(relations))

    def table_relations(self) -> Iterator[TableRelation]:
        """The relations between tables that relations of the lineage stand behind."""
        behind = {
            (source.end.entity, process.id, relation.target.entity)
            for process, relations in self.statements()
            for relation in relations
            for source in relation.sources
        }
        return (each for each in self._feed.table_relations() if (each.source, each.process, each.target) in behind)

    def remarks(self) -> Iterator[Remark]:
        """What was said of the processes."""
        return (remark for remark in self._feed.remarks() if remark.process in self._processes)

    def _touched(self, entities: Iterable[Entity]) -> Iterator[Entity]:
        return (each for each in map(self._only, entities) if each.columns)

    def _only(self, entity: Entity) -> Entity:
        return entity._replace(columns=tuple(column for column in entity.columns if column.id in self._columns))

    def kept(self, relations: Iterable[Relation]) -> Iterator[Relation]:
        """Those of some relations, and of their sources, that belong to the lineage."""
        for relation in relations:
            if relation.target.column in self._columns:
                sources = tuple(source for source in relation.sources if self._leads(source, relation))
                if sources:
                    yield relation if len(sources) == len(relation.sources) else relation._replace(sources=sources)

    def _leads(self, source: Source, relation: Relation) -> bool:
        column = source.end.column
        if column not in self._columns:
            return False
        if not _is_followed(source, relation):
            return True
        return relation.target.column in self._up.followed or column in self._down.followed


@dataclass(slots=True)
class Reach:
    """What a walk met: columns whose arrows were followed, columns at the ends of these arrows, processes that made them."""

    followed: set[int] = field(default_factory=set)
    touched: set[int] = field(default_factory=set)
    processes: set[int] = field(default_factory=set)

    def walk(
        self,
        start: Iterable[int],
        arrows: Arrows,
        belonging: Arrows,
        outlives: Callable[[int], bool],
        depth: int | None,
    ) -> None:
        """Follow arrows from some columns, hop by hop, and from what belongs to them.

        A column that does not outlive its statement is no hop: the walk goes on through it.
        """
        reached, hops = set(start), 0
        while reached and (depth is None or hops < depth):
            reached.update([other for column in reached for other, _ in belonging.of(column)])
            reached = self._hop(reached - self.followed, arrows, outlives)
            hops += 1

    def _hop(self, level: set[int], arrows: Arrows, outlives: Callable[[int], bool]) -> set[int]:
        """Where the arrows from some columns lead."""
        reached: set[int] = set()
        pending = list(level)
        while pending:
            column = pending.pop()
            if column in self.followed:
                continue
            self.followed.add(column)
            for other, process in arrows.of(column):
                if process != _NO_PROCESS:
                    self.touched.update((column, other))
                    self.processes.add(process)
                if outlives(other):
                    reached.add(other)
                else:
                    pending.append(other)
        return reached - self.followed


def _followed(feed: Feed) -> Iterator[tuple[int, int, int]]:
    """Arrows from source to target along which data or influence flows, with their processes."""
    fields = {part: whole for entity in feed.entities() for whole, part in _fields(entity)}
    written: set[int] = set()
    for relation in _relations(feed):
        if relation.target.column in fields:
            written.add(relation.target.column)
        for source in relation.sources:
            if _is_followed(source, relation):
                yield source.end.column, relation.target.column, relation.process
    for part, whole in fields.items():
        yield whole, part, _NO_PROCESS
        if part in written:
            yield part, whole, _NO_PROCESS


def _relations(feed: Feed) -> Iterator[Relation]:
    if feed.scope.level != "table":
        return feed.relations()
    return (relation for _, found in feed.statements() for relation in found)


def _fields(entity: Entity) -> Iterator[tuple[int, int]]:
    """Each field of a struct column that is a column itself, behind the nearest column of which it is a part."""
    names = {column.name: column.id for column in entity.columns}
    for name, part in names.items():
        outer = name.rpartition(".")[0]
        while outer and outer not in names:
            outer = outer.rpartition(".")[0]
        if outer:
            yield names[outer], part


def _is_followed(source: Source, relation: Relation) -> bool:
    return relation.type != JOIN_TYPE and source.kind.clause != _KEY


def _belonging(feed: Feed) -> Iterator[tuple[int, int, int]]:
    """An arrow from the row set of each entity to each of its columns; of an entity without one, from each column to itself."""
    for entity in feed.entities():
        rows = next((column.id for column in entity.columns if column.row_set), None)
        for column in entity.columns:
            yield column.id if rows is None else rows, column.id, 0
