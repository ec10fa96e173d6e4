"""The elements of SQLFlow's model: what XML and JSON write, each in its own way. An element has a name, attributes and children."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import md5
from itertools import count
from typing import NamedTuple

from headwater.export.feed import Feed
from headwater.export.records import (
    Argument,
    Column,
    End,
    Entity,
    Place,
    Procedure,
    Process,
    Relation,
    Remark,
    Source,
    TableRelation,
)
from headwater.export.sqlflow.vocabulary import (
    column_name,
    element_of,
    name_of,
    process_type,
    qualifiers,
    sub_type,
    type_of,
)
from headwater.model.entity import EntityKind

NOWHERE = "[-1,-1,0],[-1,-1,0]"


class Element(NamedTuple):
    """An element: attributes without a value are not there."""

    name: str
    attributes: dict[str, str]
    children: tuple[Element, ...] = ()


class Elements:
    """Makes elements of a feed, in the order in which they are written."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._columns = feed.scope.level != "table"
        self._numbers = count(1)

    def processes(self) -> Iterator[Element]:
        """The processes."""
        return map(_process, self._feed.processes())

    def procedures(self) -> Iterator[Element]:
        """The procedures with their arguments."""
        return map(_procedure, self._feed.procedures())

    def entities(self) -> Iterator[Element]:
        """What outlives its statement; a query's result is inside of its statement at the complete level only."""
        return (_entity(entity, self._columns) for entity in self._feed.entities())

    def relations(self) -> Iterator[Element]:
        """The relations, and before those of a statement what is inside of it."""
        if self._feed.scope.level == "table":
            for hop in self._feed.table_relations():
                yield from self._table_relation(hop)
            return
        for part in self._feed.parts():
            yield from (_entity(entity, True) for entity in part.entities)
            yield from map(self._relation, part.relations)

    def errors(self) -> Iterator[Element]:
        """The diagnostics."""
        return map(_error, self._feed.remarks())

    def _relation(self, relation: Relation) -> Element:
        attributes = {
            "id": str(next(self._numbers)),
            "type": relation.type,
            "effectType": relation.effect,
            "processId": str(relation.process or ""),
        }
        target = _end("target", relation.target, relation.place)
        return Element("relation", attributes, (target, *map(_source, relation.sources)))

    def _table_relation(self, relation: TableRelation) -> Iterator[Element]:
        process = f"Query {process_type(self._feed.process(relation.process).type)}"
        yield self._hop((relation.process, process), (relation.source, relation.source_name.removeprefix("@")))
        yield self._hop((relation.target, relation.target_name.removeprefix("@")), (relation.process, process))

    def _hop(self, target: tuple[int, str], source: tuple[int, str]) -> Element:
        relation = str(next(self._numbers))
        ends = [
            Element(side, {"id": str(next(self._numbers)), f"{side}_id": str(id), f"{side}_name": name})
            for side, (id, name) in (("target", target), ("source", source))
        ]
        return Element("relation", {"id": relation, "type": "fdd"}, tuple(ends))


def _source(source: Source) -> Element:
    element = _end("source", source.end, source.place)
    element.attributes["clauseType"] = "" if source.kind.clause == "select" else source.kind.clause
    return element


def _end(name: str, end: End, place: Place | None) -> Element:
    attributes = {
        "id": str(end.column),
        "column": column_name(end.column_name, end.kind, end.entity_name),
        "parent_id": str(end.entity),
        "parent_name": name_of(end.kind, end.entity_name),
        "coordinate": _coordinate((place,) if place else ()),
        "source": "system" if end.row_set else "",
    }
    return Element(name, attributes)


def _process(process: Process) -> Element:
    type_ = process_type(process.type)
    attributes = {
        "id": str(process.id),
        "name": f"Query {type_}",
        "type": type_,
        "queryHashId": process.query_hash,
        "procedureName": process.procedure,
        "coordinate": _coordinate(process.places),
    }
    return Element("process", attributes)


def _procedure(procedure: Procedure) -> Element:
    attributes = {
        "id": str(procedure.id),
        "name": procedure.name,
        "type": "createprocedure",
        "coordinate": _coordinate(procedure.places),
    }
    return Element("procedure", attributes, tuple(map(_argument, procedure.arguments)))


def _argument(argument: Argument) -> Element:
    attributes = {
        "id": str(argument.id),
        "name": argument.name,
        "datatype": argument.data_type,
        "inout": argument.mode,
        "coordinate": _coordinate(argument.places),
    }
    return Element("argument", attributes)


def _entity(entity: Entity, columns: bool) -> Element:
    database, schema = qualifiers(entity.kind, entity.name, entity.parts)
    element = element_of(entity)
    result = element == "resultset"
    attributes = {
        "id": str(entity.id),
        "database": "" if result else database,
        "schema": "" if result else schema,
        "name": name_of(entity.kind, entity.name),
        "alias": entity.alias or "",
        "uri": entity.name if entity.kind is EntityKind.PATH else "",
        "type": type_of(entity),
        "subType": sub_type(entity),
        "fileFormat": entity.file_format.upper(),
        "hashId": result_hash(entity) if result else "",
        "processIds": " ".join(map(str, entity.processes)),
        "coordinate": _coordinate(entity.places),
    }
    children = tuple(_column(column, entity) for column in entity.columns) if columns else ()
    return Element(element, attributes, children)


def _column(column: Column, entity: Entity) -> Element:
    attributes = {
        "id": str(column.id),
        "name": column_name(column.name, entity.kind, entity.name),
        "coordinate": _coordinate(column.places),
        "source": "system" if column.row_set else "",
    }
    return Element("column", attributes)


def _error(remark: Remark) -> Element:
    attributes = {
        "errorType": remark.code,
        "errorMessage": remark.message,
        "severity": remark.severity,
        "processId": str(remark.process or ""),
        "coordinate": _coordinate((remark.place,) if remark.place else ()),
    }
    return Element("error", attributes)


def result_hash(entity: Entity) -> str:
    """The hash that stands for a result set in exchange files: MD5 of its type and the names of its columns."""
    names = "".join(column.name for column in entity.columns if not column.row_set)
    return md5(f"{entity.type}{names}".encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


def _coordinate(places: Iterable[Place]) -> str:
    """`[1,8,0],[1,13,0]`: where each place begins and ends, with the script's number."""
    pairs = (f"[{p.start.line},{p.start.column},{p.script}],[{p.end.line},{p.end.column},{p.script}]" for p in places)
    return ",".join(pairs) or NOWHERE
