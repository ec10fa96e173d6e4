"""What things are called in a catalog: `db.schema.table.column@cluster`, the same name whenever and from wherever it is written.

A name is made of what the feed says, in the spelling of its first place (a database's folded), and of nothing that is remembered between
names. No two things of one type have the same: a part that holds a mark of the name's own (`.`, `@`, `"`), or whose case only quotes could
have kept, stands in quotes.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property, lru_cache
from hashlib import md5
from typing import NamedTuple

from headwater.export.feed import Feed
from headwater.export.format import ExportError
from headwater.export.kinds import name_class
from headwater.export.records import End, Entity, Process
from headwater.export.spelling import spelled_parts
from headwater.model.entity import ORPHAN_TABLE, EntityKind, is_private
from headwater.model.relation import OUTSIDE

LONGEST = 600
"""Characters of a name, its cluster included: what fits into the index of every common database. A longer one ends in its hash."""

DEFAULT = "default"
"""The name of a database or schema that nobody names."""

_TWO_LEVELS = frozenset({"hive", "spark", "databricks", "mysql", "clickhouse", "teradata", "sqlite"})
"""Dialects in which a table lives in a database, without a schema in between."""

_FOLDS = {"snowflake": str.upper, "oracle": str.upper, "db2": str.upper, "ansi": str.upper, "postgres": str.lower}
"""Dialects in which quotes keep a case that differs from what unquoted names become."""

_CLUSTERS = {"hive": "primary"}
"""The default cluster, where it is not the dialect's name."""

_SEED_DIALECTS = {"postgres": "postgresql", "spark": "sparksql", "databricks": "sparksql", "tsql": "sqlserver"}
"""Our names of dialects that the model reference calls otherwise."""

_STATEMENTS_OWN = {EntityKind.RESULT_SET: "result", EntityKind.ORPHAN: ORPHAN_TABLE}
"""What each statement can have one of."""

_MARKS = re.compile(r'[.@"\s]|#\d+$|^$')
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
_REMEMBERED = 100_000
"""Names of entities and columns that are kept, because relations name them again."""


def plain(text: str) -> str:
    """Text that every database and server takes: without NULs and lone surrogates."""
    return _UNWRITABLE.sub("\ufffd", text)


def digest(*parts: object) -> str:
    """A hash of values, by which no two lists of them are taken for each other."""
    return md5("\0".join(map(str, parts)).encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


identity = lru_cache(1 << 16)(digest)
"""The same, for things that are named again and again."""


def seed_dialect(dialect: str) -> str:
    """What the model reference calls a dialect."""
    return _SEED_DIALECTS.get(dialect, dialect)


class Named(NamedTuple):
    """An entity with its qualified name and those of its columns, by their ids."""

    entity: Entity
    name: str
    database: str | None
    """None for what lies outside of databases."""
    columns: dict[int, str]


class QualifiedNames:
    """The names of everything in a feed, in one cluster."""

    def __init__(self, feed: Feed, cluster: str | None) -> None:
        self._feed = feed
        self._dialect = feed.dialect
        self.dialect = seed_dialect(feed.dialect) or "generic"
        self.cluster = plain(cluster) if cluster else _CLUSTERS.get(feed.dialect, self.dialect)
        if "@" in self.cluster or len(self.cluster) > 100:
            raise ExportError("a cluster's name has at most 100 characters and no @, which is what stands before it")
        self._known: OrderedDict[int, Named] = OrderedDict()
        self._columns_known = 0

    def database(self, name: str) -> str:
        """Of a database, by its own name: `sampledb@primary`."""
        return self._at_cluster(name)

    def procedure_database(self, procedure: str) -> str:
        """The database of a procedure, as processes name it, if it says so: the processes inside run there."""
        outer, _ = self._procedure(procedure)
        return self._database(outer)

    def procedure(self, procedure: str) -> str | None:
        """Of a procedure, as the processes inside of it name it; None for what stands in none."""
        return None if procedure == OUTSIDE else self._at_cluster(self._procedure_name(procedure))

    def process(self, process: Process) -> str:
        """Of a process: `db.procedure.queryHashId@cluster`."""
        return self._at_cluster(self._process(process))

    def lineage(self, process: Process, identity: str) -> str:
        """Of a relation that a process makes, by its hash."""
        return self._at_cluster(f"{self._process(process)}:{identity}")

    def entity(self, entity: Entity, process: Process | None = None) -> Named:
        """Of an entity; one that lives in a statement (a query's result, columns that nobody owns) needs its *process*."""
        known = self._known.get(entity.id)
        if known is None:
            known = self._known[entity.id] = self._made(entity, process)
            self._columns_known += len(known.columns) + 1
            while self._columns_known > _REMEMBERED and len(self._known) > 1:
                _, forgotten = self._known.popitem(last=False)
                self._columns_known -= len(forgotten.columns) + 1
        return known

    def owner(self, end: End, process: Process) -> Named:
        """Of the entity of one end of a relation."""
        known = self._known.get(end.entity)
        return known if known is not None else self.entity(self._feed.entity(end.entity), process)

    def _made(self, entity: Entity, process: Process | None) -> Named:
        database: str | None
        if entity.kind is EntityKind.PATH:
            looks_so = any(mark in entity.name for mark in "/\\:")
            head, database = entity.name if looks_so else self._quoted(entity.name, always=True), None
        elif lives_in_statement(entity.kind):
            if process is None:
                raise ValueError("an entity inside of a statement has its name from its process")
            head = f"{self._process(process)}.{_STATEMENTS_OWN[entity.kind]}"
            database = self.procedure_database(process.procedure)
        else:
            parts = self._parts(entity)
            head, database = ".".join(parts), self._database(parts)
        return Named(entity, self._at_cluster(head), database, self._columns(head, entity))

    def _columns(self, head: str, entity: Entity) -> dict[int, str]:
        met: dict[str, int] = {}
        named = {}
        for column in entity.columns:
            name = self._quoted(column.name)
            met[name] = met.get(name, 0) + 1
            again = f"#{met[name]}" if met[name] > 1 else ""
            named[column.id] = self._at_cluster(f"{head}.{name}{again}")
        return named

    def _parts(self, entity: Entity) -> tuple[str, ...]:
        """The name of a table, view or stage, outermost first, complete, each part as it is written."""
        folded, shown = entity.parts, entity.name
        if entity.kind is EntityKind.STAGE:
            folded, shown = (folded[0].removeprefix("@"), *folded[1:]), shown.removeprefix("@")
        spelled = spelled_parts(shown, folded)
        if len(folded) >= self._levels:
            spelled[: len(folded) - self._levels + 1] = folded[: len(folded) - self._levels + 1]
        parts = tuple(map(self._written, folded, spelled))
        if entity.kind is EntityKind.STAGE:
            parts = (*parts[:-1], self._quoted(f"@{spelled[-1]}"))
        elif name_class(entity.kind) != EntityKind.TABLE:
            parts = (*parts[:-1], self._quoted(f"{entity.kind.value}@{spelled[-1]}"))
        if entity.temporary:
            return DEFAULT, f'"{self._script(entity)}{self._owner(entity)}"', parts[-1]
        return self._completed(parts)

    @property
    def _levels(self) -> int:
        """Of how many parts a complete name is made; the first is the database, which is one however its tables spell it."""
        return 2 if self._dialect in _TWO_LEVELS else 3

    def _completed(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        missing = (DEFAULT, "dbo" if self._dialect == "tsql" else DEFAULT)[: self._levels - 1]
        return (*missing[: max(0, self._levels - len(parts))], *parts)

    def _database(self, parts: Sequence[str]) -> str:
        """The outermost name; with a linked server's or a catalog's before it."""
        return ".".join(parts[: max(1, len(parts) - self._levels + 1)])

    def _procedure(self, procedure: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The complete name of the procedure, or of the package or procedure around it, and behind it what is inside of that."""
        if procedure == OUTSIDE:
            return (DEFAULT, OUTSIDE), ()
        parts = tuple(map(self._quoted, procedure.split(".")))
        outer = len(parts) - self._inner_parts.get(procedure.casefold(), 0)
        return self._completed(parts[:outer]), parts[outer:]

    @cached_property
    def _inner_parts(self) -> dict[str, int]:
        """How many parts of their names stand inside of packages and procedures, of those procedures that do."""
        return {each.name.casefold(): each.inner_parts for each in self._feed.procedures() if each.inner_parts}

    def _procedure_name(self, procedure: str) -> str:
        outer, inner = self._procedure(procedure)
        return ".".join((*outer, *inner))

    def _process(self, process: Process) -> str:
        return f"{self._procedure_name(process.procedure)}.{process.query_hash}"

    def _written(self, folded: str, shown: str) -> str:
        fold = _FOLDS.get(self._dialect)
        sensitive = fold is not None and fold(folded) != folded
        return self._quoted(shown, sensitive)

    def _quoted(self, name: str, always: bool = False) -> str:
        if not always and not _MARKS.search(name):
            return name
        return '"' + name.replace('"', '""') + '"'

    @cached_property
    def _paths(self) -> dict[int, str]:
        return {script.number: script.path for script in self._feed.scripts()}

    def _script(self, entity: Entity) -> str:
        """The script of a temporary table, which is another one in every script."""
        if entity.places:
            path = self._paths.get(entity.places[0].script, "")
        else:
            path = next((self._feed.process(id).path for id in entity.processes), "")
        return (path or "standard input").replace('"', '""')

    def _owner(self, entity: Entity) -> str:
        """The procedure that keeps a temporary table to itself: all that writes it stands in that one."""
        if not is_private(entity.parts):
            return ""
        procedures = {self._feed.process(id).procedure for id in entity.processes}
        return "".join(f" {name}" for name in procedures - {OUTSIDE}) if len(procedures) == 1 else ""

    def _at_cluster(self, head: str) -> str:
        head = plain(head)
        room = LONGEST - len(self.cluster) - 1
        if len(head) > room:
            head = f"{head[: room - 33]}…{digest(head)}"
        return f"{head}@{self.cluster}"


def lives_in_statement(kind: EntityKind) -> bool:
    """Whether an entity's name says nothing outside of its statement: what a query gives, or columns that nobody owns."""
    return kind in _STATEMENTS_OWN
