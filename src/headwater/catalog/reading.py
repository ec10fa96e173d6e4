"""What is asked of a live catalog, answered from what is known where that is fresh enough, else by the database.

The database is connected to when the first question needs it, and not at all if none does. When it cannot be asked, what is known answers,
however old it is; `oldest` and `problem` say so. A schema that it refuses to list costs that schema only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from time import time
from typing import TypeVar

from headwater.catalog.database import Database, Live
from headwater.catalog.description import TableDescription
from headwater.catalog.failure import CatalogRefused, CatalogUnavailable
from headwater.catalog.known import Known, KnownTable, Listing, Schemas
from headwater.model.entity import TableName

Tell = Callable[[str], None]
"""Hears what is being read."""
Answer = TypeVar("Answer")
Old = TypeVar("Old", Schemas, Listing, KnownTable)
"""What was known before."""


class Reading:
    """Questions to one catalog; a context, which ends the connection."""

    def __init__(self, known: Known, live: Live | None, ttl: float, tell: Tell | None = None) -> None:
        """Without a *live* catalog, nobody is asked."""
        self._before = known
        self._live = live
        self._fresh_since = time() - ttl
        self._tell = tell or (lambda what: None)
        self._stack = ExitStack()
        self._database: Database | None = None
        self._schemas: Schemas | None = None
        self._listings: dict[TableName, Listing] = {}
        self._tables: dict[TableName, KnownTable] = {}
        self.asked = False
        """Whether the database was asked anything."""
        self.problem = ""
        """Why the database could not be asked."""
        self.refused: dict[TableName, str] = {}
        """Schemas whose tables the database refuses to list, and why."""
        self.oldest = time()
        """When the oldest of what was answered was read."""

    def __enter__(self) -> Reading:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @property
    def found(self) -> Known:
        """What the database said this time."""
        return Known(self._before.place, self._schemas, self._listings, self._tables)

    def schemas(self) -> Schemas | None:
        """The search path and all schemas; None if nobody knows."""
        before = self._before.schemas
        if before is not None and self._is_fresh(before.time):
            return self._old(before)
        said = self._ask(lambda database: (database.path(), database.schemas()))
        if said is None:
            return self._old(before) if before is not None else None
        self._schemas = Schemas(time(), *said)
        return self._schemas

    def listing(self, schema: TableName) -> Mapping[str, str]:
        """The tables and views of a schema, with their kinds."""
        if schema in self._listings:
            return self._listings[schema].kinds
        before = self._before.listings.get(schema)
        if before is not None and self._is_fresh(before.time):
            return self._old(before).kinds
        said = self._listed(schema)
        if said is None:
            return self._old(before).kinds if before is not None else {}
        self._listings[schema] = Listing(time(), dict(said))
        return said

    def _listed(self, schema: TableName) -> Mapping[str, str] | None:
        if schema in self.refused:
            return None
        self._tell(f"listing {'.'.join(schema)}")
        try:
            return self._ask(lambda database: database.relations(schema))
        except CatalogRefused as error:
            self.refused[schema] = str(error)
            return None

    def tables(self, schema: TableName, kinds: Mapping[str, str], whole: bool) -> Iterable[TableDescription]:
        """The descriptions of some tables of a schema; of those that nobody can tell, none."""
        missing = {}
        for name, kind in kinds.items():
            before = self._before.tables.get((*schema, name))
            if before is not None and self._is_fresh(before.time):
                yield self._old(before).description
            else:
                missing[name] = kind
        if missing:
            yield from self._anew(schema, missing, whole and len(missing) == len(kinds))

    def _anew(self, schema: TableName, kinds: Mapping[str, str], whole: bool) -> Iterable[TableDescription]:
        self._tell(f"reading {len(kinds):,} of {'.'.join(schema)}")
        said = self._ask(lambda database: self._renewed(database, schema, kinds, whole))
        for name in kinds:
            table = self._tables.get((*schema, name))
            before = self._before.tables.get((*schema, name))
            if table is not None:
                yield table.description
            elif said is None and before is not None:
                yield self._old(before).description

    def _renewed(self, database: Database, schema: TableName, kinds: Mapping[str, str], whole: bool) -> bool:
        """Read what has changed; what has the stamp that it had is as fresh as if it had been read."""
        stamps = database.stamps(schema, list(kinds))
        changed = dict(kinds)
        for name in kinds:
            before = self._before.tables.get((*schema, name))
            same = before is not None and before.stamp and before.stamp == stamps.get(name)
            if before is not None and same and _is_whole(before.description, kinds[name]):
                self._tables[(*schema, name)] = before._replace(time=time())
                del changed[name]
        for table in database.described(schema, changed, whole and len(changed) == len(kinds)) if changed else ():
            self._tables[table.name] = KnownTable(time(), stamps.get(table.name[-1], ""), table)
        return True

    def _ask(self, question: Callable[[Database], Answer]) -> Answer | None:
        """The database's answer; None if it cannot be asked, which is tried once."""
        if self._live is None or self.problem:
            return None
        try:
            with self._live.explained():
                if self._database is None:
                    self._tell(f"connecting to {self._live.place}")
                    self._database = self._stack.enter_context(self._live.connected())
                self.asked = True
                return question(self._database)
        except CatalogUnavailable as error:
            self.problem = str(error)
            return None

    def _is_fresh(self, time: float) -> bool:
        return time > self._fresh_since

    def _old(self, known: Old) -> Old:
        self.oldest = min(self.oldest, known.time)
        return known


def _is_whole(known: TableDescription, kind: str) -> bool:
    """Whether all of a table could be read, and it is still of that kind; what could not be read may have been granted since."""
    return known.kind == kind and not known.problem
