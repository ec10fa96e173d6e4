"""A feed as the rows of the tables, one after the other.

A guid is a hash of the object's type and qualified name, so that it is the same in every export; only clusters and databases keep the guid
that the database has for them already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Table

from headwater.export.feed import Feed
from headwater.export.kinds import words
from headwater.export.qualified_names import Named, QualifiedNames, digest, identity, lives_in_statement, plain
from headwater.export.rdbms import tables
from headwater.export.records import End, Entity, Procedure, Process, Relation
from headwater.export.statement_ends import own_entities, table_flows

Row = tuple[Table, dict[str, Any]]
Known = Callable[[str, str], str | None]
"""The guid of an object that is in the database, by type and qualified name."""

LONGEST = 1000
"""Characters of an expression that each source of a relation repeats; the whole stands in the process' ddl."""


class Rows:
    """The rows of one feed in one cluster."""

    def __init__(self, feed: Feed, names: QualifiedNames, known: Known) -> None:
        self._feed = feed
        self._names = names
        self._known = known
        self._parents: dict[tuple[str, str], str] = {}
        self._routine_types: dict[str, str] = {}
        self.untold = 0
        """Results of queries that take part in no relation, so that nothing says whose they are."""

    def __iter__(self) -> Iterator[Row]:
        yield from self._parent("cluster", self._names.cluster, self._known("sqldialect", self._names.dialect))
        for routine in self._feed.procedures():
            yield from self._routine(routine)
        for entity in self._feed.entities():
            if lives_in_statement(entity.kind):
                self.untold += 1
            else:
                yield from self._entity(self._names.entity(entity), None)
        for process, relations in self._feed.statements():
            yield from self._process(process, relations)

    def _process(self, process: Process, relations: list[Relation]) -> Iterator[Row]:
        """A process, what lives in it, and its relations."""
        database = self._names.procedure_database(process.procedure)
        yield from self._database(database)
        parent = self._database_guid(database)
        procedure = self._names.procedure(process.procedure)
        if procedure is not None:
            type = self._routine_types.get(procedure, "procedure")
            yield from self._parent(type, procedure, parent)
            parent = self._parents[type, procedure]
        name = self._names.process(process)
        guid = digest("process", name)
        yield tables.OBJECTS, _object(guid, parent, name, "process", plain(process.text), process.query_hash)
        yield tables.OBJECT_FACTS, _fact(guid, process.name, process.type, path=plain(process.path))
        for named in own_entities(self._names, process, relations):
            self.untold -= 1
            yield from self._entity(named, guid)
        for source, target in table_flows(self._names, process, relations):
            guids = {"source_guid": _guid_of(source), "process_guid": guid, "target_guid": _guid_of(target)}
            yield tables.TABLE_RELATIONS, {"guid": digest(*guids.values()), **guids}
        if self._feed.scope.level != "table":
            for relation in relations:
                yield from self._relation(relation, process, guid)

    def _routine(self, routine: Procedure) -> Iterator[Row]:
        """A procedure, function or trigger, with the statement that creates it."""
        name = self._names.procedure(routine.folded or routine.name)
        if name is None:
            return
        type = routine.kind if routine.kind in ("function", "trigger") else "procedure"
        database = self._names.procedure_database(routine.folded or routine.name)
        yield from self._database(database)
        self._routine_types.setdefault(name, type)
        creation = self._feed.process(routine.process)
        yield from self._parent(type, name, self._database_guid(database), creation)

    def _relation(self, relation: Relation, process: Process, process_guid: str) -> Iterator[Row]:
        target = self._column_guid(relation.target, process)
        sources = dict.fromkeys((self._column_guid(source.end, process), source.kind) for source in relation.sources)
        expression = plain(relation.expression)
        about = (process_guid, target, relation.type, relation.effect, expression)
        whole = digest(*about, *(part for source, kind in sources for part in (source, *kind)))
        for source, kind in sources:
            yield (
                tables.RELATIONS,
                {
                    "guid": digest(whole, source, *kind),
                    "relation": whole,
                    "source_guid": source,
                    "target_guid": target,
                    "process_guid": process_guid,
                    "type": relation.type,
                    "subtype": kind.subtype,
                    "clause": kind.clause or None,
                    "effect": relation.effect or None,
                    "masking": kind.masking,
                    "candidate": kind.candidate,
                    "expression": expression if len(expression) <= LONGEST else expression[:LONGEST] + "…",
                },
            )

    def _entity(self, named: Named, process: str | None) -> Iterator[Row]:
        """An entity with its columns; what lives in a process has it as its parent."""
        entity, guid = named.entity, _guid_of(named)
        parent = process or self._parents["cluster", self._names.cluster]
        if process is None and named.database is not None:
            yield from self._database(named.database)
            parent = self._database_guid(named.database)
        creation = self._creation(entity)
        yield tables.OBJECTS, _object(guid, parent, named.name, _type(named), *_ddl(creation), _text(entity.comment))
        file_format = plain(entity.file_format) or None
        yield tables.OBJECT_FACTS, _fact(guid, plain(entity.name), entity.type, entity.temporary, file_format)
        for column in entity.columns:
            qualified = named.columns[column.id]
            own = identity("column", guid, qualified)
            yield (
                tables.COLUMNS,
                {"guid": own, "parent_id": guid, "qualified_name": qualified, "comment": _text(column.comment)},
            )
            yield (
                tables.COLUMN_FACTS,
                {
                    "guid": own,
                    "name": plain(column.name),
                    "data_type": plain(column.data_type) if column.data_type else None,
                    "inferred": column.inferred,
                    "row_set": column.row_set,
                },
            )

    def _creation(self, entity: Entity) -> Process | None:
        """The process that defines an entity, or else the first of those that write it which creates it."""
        defining = (entity.defined_by,) if entity.defined_by else ()
        found = (self._feed.process(id) for id in (*defining, *entity.processes))
        return next((process for process in found if process.type.startswith("Create ")), None)

    def _database(self, name: str) -> Iterator[Row]:
        yield from self._parent("database", self._names.database(name), self._parents["cluster", self._names.cluster])

    def _database_guid(self, name: str) -> str:
        return self._parents["database", self._names.database(name)]

    def _parent(self, type: str, name: str, parent: str | None, creation: Process | None = None) -> Iterator[Row]:
        """A cluster, database or routine, when it is met first."""
        if (type, name) in self._parents:
            return
        own = digest(type, name)
        guid = self._parents[type, name] = self._known(type, name) or own
        yield tables.OBJECTS, _object(guid, parent, name, type, *_ddl(creation))
        if guid == own:
            yield tables.OBJECT_FACTS, _fact(guid, name.rpartition("@")[0] or name, type)

    def _column_guid(self, end: End, process: Process) -> str:
        named = self._names.owner(end, process)
        return identity("column", _guid_of(named), named.columns[end.column])


def _type(named: Named) -> str:
    return words(named.entity.kind).catalog


def _guid_of(named: Named) -> str:
    return identity(_type(named), named.name)


def _ddl(creation: Process | None) -> tuple[str | None, str | None]:
    """The text of the statement that creates an object, and its hash."""
    return (None, None) if creation is None else (plain(creation.text), creation.query_hash)


def _text(text: str) -> str | None:
    return plain(text) if text else None


def _object(
    guid: str,
    parent: str | None,
    name: str,
    type: str,
    ddl: str | None = None,
    ddl_hash: str | None = None,
    comment: str | None = None,
) -> dict[str, Any]:
    return {
        "guid": guid,
        "parent_id": parent,
        "qualified_name": name,
        "object_type": type,
        "ddl": ddl,
        "ddl_hashId": ddl_hash,
        "comment": comment,
    }


def _fact(
    guid: str, name: str, kind: str, temporary: bool = False, file_format: str | None = None, path: str | None = None
) -> dict[str, Any]:
    return {
        "guid": guid,
        "name": name,
        "kind": kind,
        "temporary": temporary,
        "file_format": file_format,
        "path": path,
    }
