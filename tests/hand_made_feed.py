"""A feed whose names are whatever a test wants: each table's column flows into that of the next."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import md5

from headwater.export.feed import Feed, Part, Scope
from headwater.export.records import (
    Column,
    End,
    Entity,
    Procedure,
    Process,
    Relation,
    Remark,
    Script,
    Source,
    TableRelation,
)
from headwater.model.entity import EntityKind
from headwater.model.kind import IDENTITY, KINDS

HOSTILE = [
    "plain",
    "with space",
    "a.b",
    "a@b",
    'quo"te',
    "it's",
    "back\\slash",
    "line\nbreak",
    "tab\there",
    "nul\0byte",
    "<script>alert(1)</script>",
    "]]>&amp;",
    "🦆",
    "\udcff lone",
    "select",
    "NULL",
    "%s %(a)s :b ?",
    "'; DROP TABLE sqlflow_columns; --",
    "x#2",
    "x" * 10_000,
    "ü" * 10_000,
    "",
]


class HandMadeFeed(Feed):
    """Tables of these names, each with one column of its own name, and statements that carry each into the next.

    What is no table is of the kind that *kinds* has for its place.
    """

    def __init__(
        self,
        names: list[str],
        scope: Scope | None = None,
        dialect: str = "postgres",
        kinds: dict[int, EntityKind] | None = None,
    ) -> None:
        super().__init__(scope or Scope())
        self.names = names
        self._dialect = dialect
        self._kinds = kinds or {}

    def _kind(self, number: int) -> EntityKind:
        return self._kinds.get(number, EntityKind.TABLE)

    @property
    def dialect(self) -> str:
        return self._dialect

    def scripts(self) -> Iterator[Script]:
        yield Script(0, "hostile.sql")

    def processes(self) -> Iterator[Process]:
        return (self.process(1 + i) for i in range(len(self.names) - 1))

    def process(self, id: int) -> Process:
        text = f"INSERT INTO {self.names[id]} SELECT {self.names[id - 1]}"
        hash = md5(text.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
        return Process(id, "Insert", "batchQueries", hash, self._dialect, text, (), "hostile.sql")

    def procedures(self) -> Iterator[Procedure]:
        return iter(())

    def entities(self) -> Iterator[Entity]:
        return (self.entity(1000 + i) for i in range(len(self.names)))

    def entity(self, id: int) -> Entity:
        name = self.names[id - 1000]
        column = Column(id + 1000, name, "int", False, False, ())
        writers = (id - 1000,) if id > 1000 else ()
        kind = self._kind(id - 1000)
        return Entity(id, kind, kind.value, name, (name,), None, False, "", writers, (), (column,))

    def _end(self, number: int) -> End:
        name = self.names[number]
        return End(2000 + number, name, 1000 + number, name, False, self._kind(number), (name,))

    def _relation(self, process: int) -> Relation:
        source = Source(self._end(process - 1), KINDS[IDENTITY], None)
        return Relation("fdd", "insert", process, self._end(process), (source,), self.names[process - 1], None)

    def parts(self) -> Iterator[Part]:
        return (Part((), (self._relation(process.id),)) for process in self.processes())

    def statements(self) -> Iterator[tuple[Process, list[Relation]]]:
        return ((process, [self._relation(process.id)]) for process in self.processes())

    def table_relations(self) -> Iterator[TableRelation]:
        for process in self.processes():
            source, target = self._end(process.id - 1), self._end(process.id)
            if source.kind is not EntityKind.ORPHAN:
                yield TableRelation(source.entity, source.entity_name, process.id, target.entity, target.entity_name)

    def remarks(self) -> Iterator[Remark]:
        return iter(())
