"""A feed as Atlas entities, one after the other; what an entity refers to has come before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from apache_atlas.model.instance import AtlasEntity, AtlasObjectId

from headwater.export.atlas.types import COLUMN, COLUMN_LINEAGE, DATABASE, PROCESS, dataset_type
from headwater.export.feed import Feed
from headwater.export.qualified_names import Named, QualifiedNames, digest, identity, lives_in_statement, plain
from headwater.export.records import Process, Relation
from headwater.export.statement_ends import KEY, own_entities, table_flows
from headwater.model.kind import JOIN_TYPE, Kind

Refer = Callable[[str, str], AtlasObjectId]
"""Makes a reference to an entity, of its type and qualified name."""

NO_FLOW = "foreign keys and joins, along which no data flows"
UNTOLD = "results of queries without sources"


def placeholder(type: str, name: str) -> str:
    """The guid that stands for an entity until the server gives it one: the same in every export."""
    return f"-{identity(type, name)}"


class Entities:
    """The entities of one feed in one cluster."""

    def __init__(self, feed: Feed, names: QualifiedNames, refer: Refer, leave_out: Callable[[str, int], None]) -> None:
        self._feed = feed
        self._names = names
        self._refer = refer
        self._leave_out = leave_out
        self._columns = feed.scope.level != "table"
        self._databases: set[str] = set()
        self._temporary: set[str] = set()
        """Names of temporary tables and their columns: one name, if the same statement makes them in several scripts."""

    def __iter__(self) -> Iterator[AtlasEntity]:
        untold = 0
        for entity in self._feed.entities():
            if lives_in_statement(entity.kind):
                untold += 1
            else:
                yield from self._dataset(self._names.entity(entity))
        for process, relations in self._feed.statements():
            for named in own_entities(self._names, process, relations):
                untold -= 1
                yield from self._dataset(named)
            yield self._process(process, relations)
            if self._columns:
                yield from self._lineages(process, relations)
        if untold:
            self._leave_out(UNTOLD, untold)

    def _dataset(self, named: Named) -> Iterator[AtlasEntity]:
        """A table, view, path, stage or result with its columns, after its database."""
        entity, type_ = named.entity, dataset_type(named.entity.kind)
        related = {}
        if named.database is not None:
            database = self._names.database(named.database)
            yield from self._database(named.database, database)
            related["database"] = self._refer(DATABASE, database)
        attributes: dict[str, Any] = {"clusterName": self._names.cluster, "temporary": entity.temporary}
        creation = self._creation(entity.processes)
        if creation:
            attributes |= {"ddl": creation.text, "ddlHashId": creation.query_hash}
        if entity.is_file and entity.file_format:
            attributes["fileFormat"] = entity.file_format
        if self._is_new(named.name, entity.temporary):
            yield _entity(type_, named.name, entity.name, attributes, related)
        positions = count()
        for column in entity.columns if self._columns else ():
            name = named.columns[column.id]
            if self._is_new(name, entity.temporary):
                about = {
                    "dataType": column.data_type,
                    "position": None if column.row_set else next(positions),
                    "inferred": column.inferred,
                    "rowSet": column.row_set,
                }
                yield _entity(COLUMN, name, column.name, about, {"dataset": self._refer(type_, named.name)})

    def _is_new(self, name: str, temporary: bool) -> bool:
        if not temporary:
            return True
        new = name not in self._temporary
        self._temporary.add(name)
        return new

    def _database(self, own: str, name: str) -> Iterator[AtlasEntity]:
        if name not in self._databases:
            self._databases.add(name)
            yield _entity(DATABASE, name, own, {"clusterName": self._names.cluster})

    def _creation(self, processes: tuple[int, ...]) -> Process | None:
        """The first of the processes that write an entity which creates it."""
        found = (self._feed.process(id) for id in processes)
        return next((process for process in found if process.type.startswith("Create ")), None)

    def _process(self, process: Process, relations: list[Relation]) -> AtlasEntity:
        flows = table_flows(self._names, process, relations)
        attributes = {
            "clusterName": self._names.cluster,
            "processType": process.type,
            "procedureName": process.procedure,
            "queryHashId": process.query_hash,
            "queryText": process.text,
            "dialect": process.dialect,
            "path": process.path,
            "inputs": self._references(source for source, _ in flows),
            "outputs": self._references(target for _, target in flows),
        }
        shown = f"{process.name} {process.query_hash[:12]}"
        return _entity(PROCESS, self._names.process(process), shown, attributes)

    def _references(self, all: Iterator[Named]) -> list[AtlasObjectId]:
        different = dict.fromkeys((dataset_type(named.entity.kind), named.name) for named in all)
        return [self._refer(*found) for found in different]

    def _lineages(self, process: Process, relations: list[Relation]) -> Iterator[AtlasEntity]:
        """A relation between columns for each way in which its sources reach the target."""
        for relation in relations:
            by_kind: dict[Kind, list[str]] = {}
            for source in relation.sources:
                if source.kind.clause == KEY or relation.type == JOIN_TYPE:
                    self._leave_out(NO_FLOW, 1)
                else:
                    owner = self._names.owner(source.end, process)
                    by_kind.setdefault(source.kind, []).append(owner.columns[source.end.column])
            target = self._names.owner(relation.target, process).columns[relation.target.column]
            for kind, sources in by_kind.items():
                yield self._lineage(process, relation, kind, sources, target)

    def _lineage(
        self, process: Process, relation: Relation, kind: Kind, sources: list[str], target: str
    ) -> AtlasEntity:
        attributes = {
            "relationType": relation.type,
            "effectType": relation.effect or None,
            "subtype": kind.subtype,
            "clauseType": kind.clause or None,
            "masking": kind.masking,
            "candidate": kind.candidate,
            "expression": relation.expression or None,
            "inputs": [self._refer(COLUMN, source) for source in dict.fromkeys(sources)],
            "outputs": [self._refer(COLUMN, target)],
        }
        hash = digest(relation.type, relation.effect, relation.expression, *kind, target, *sources)
        name = self._names.lineage(process, hash)
        related = {"process": self._refer(PROCESS, self._names.process(process))}
        return _entity(COLUMN_LINEAGE, name, f"{process.name}: {relation.target.column_name}", attributes, related)


def _entity(
    type: str, name: str, shown: str, attributes: dict[str, Any], related: dict[str, AtlasObjectId] | None = None
) -> AtlasEntity:
    said = {key: plain(value) if isinstance(value, str) else value for key, value in attributes.items()}
    told = {key: value for key, value in said.items() if value is not None}
    return AtlasEntity(
        {
            "guid": placeholder(type, name),
            "typeName": type,
            "attributes": {"qualifiedName": name, "name": plain(shown), **told},
            "relationshipAttributes": related or None,
        }
    )
