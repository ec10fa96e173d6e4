"""Readers of SQLFlow's XML and JSON, each by itself: a document to the graph that it tells.

An end of a relation is looked up among the objects by its ids: a document whose relations name what it does not have cannot be read.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from lxml import etree

ENTITIES = ("table", "view", "resultset", "path", "stage", "variable")


class End(NamedTuple):
    """A column, or at the table level an entity or process: by ids and by names."""

    owner: str
    owner_name: str
    column: str
    column_name: str


class Edge(NamedTuple):
    """One source of one relation; at the table level without effect, process and clause."""

    type: str
    effect: str
    process: str
    target: End
    source: End
    clause: str


class Graph(NamedTuple):
    """What a document tells."""

    processes: frozenset[tuple[str, ...]]
    """Id, type, query hash, procedure."""
    procedures: frozenset[tuple[str, tuple[tuple[str, ...], ...]]]
    """Name, and of each argument name, type and mode."""
    entities: frozenset[tuple[str, ...]]
    """Id, element, type, name, database, schema, ids of the processes that write it."""
    columns: frozenset[End]
    edges: frozenset[Edge]
    errors: frozenset[tuple[str, ...]]
    """Code, severity, message."""


def read_json(text: str) -> Graph:
    """The graph of a JSON document."""
    data = json.loads(text)["data"]["sqlflow"]
    objects: list[dict[str, Any]] = data["dbobjs"]
    of_type: dict[str, list[dict[str, Any]]] = {}
    for each in objects:
        of_type.setdefault(each["type"], []).append(each)
    assert of_type.keys() <= {*ENTITIES, "process", "createprocedure", "pseudoTable"}, of_type.keys()
    processes, procedures = of_type.pop("process", []), of_type.pop("createprocedure", [])
    entities = [each for found in of_type.values() for each in found]
    ends = {(each["id"], ""): End(each["id"], each["name"], "", "") for each in (*processes, *entities)}
    for each in entities:
        for column in each.get("columns", ()):
            ends[each["id"], column["id"]] = End(each["id"], each["name"], column["id"], column["name"])

    def end(side: str, told: dict[str, str]) -> End:
        if f"{side}_id" in told:
            return ends[told[f"{side}_id"], ""]
        return ends[told["parent_id"], told["id"]]

    return Graph(
        frozenset((p["id"], p["processType"], p["queryHashId"], p["procedureName"]) for p in processes),
        frozenset((p["name"], tuple(_argument(a) for a in p.get("arguments", ()))) for p in procedures),
        frozenset(
            (
                each["id"],
                "table" if each["type"] == "pseudoTable" else each["type"],
                each.get("resultsetType", each["type"]),
                each["name"],
                *(each.get(name, "") for name in ("database", "schema", "processIds")),
            )
            for each in entities
        ),
        frozenset(found for found in ends.values() if found.column),
        frozenset(
            Edge(
                relation["type"],
                relation.get("effectType", ""),
                relation.get("processId", ""),
                end("target", relation["target"]),
                end("source", source),
                source.get("clauseType", ""),
            )
            for relation in data["relations"]
            for source in relation["sources"]
        ),
        frozenset((e["errorType"], e["severity"], e["errorMessage"]) for e in data["errors"]),
    )


def read_xml(text: str) -> Graph:
    """The graph of an XML document."""
    root = etree.fromstring(text.encode())
    columns: dict[str, End] = {}
    owners = {each.get("id"): each.get("name") for each in root.iter(*ENTITIES, "process")}
    for entity in root.iter(*ENTITIES):
        for column in entity.iter("column"):
            found = End(entity.get("id"), entity.get("name"), column.get("id"), column.get("name"))
            columns[column.get("id")] = found

    def end(told: Any) -> End:
        owner = told.get(f"{told.tag}_id")
        if owner is not None:
            return End(owner, owners[owner], "", "")
        found = columns[told.get("id")]
        assert found.owner == told.get("parent_id")
        return found

    return Graph(
        frozenset(_attributes(p, "id", "type", "queryHashId", "procedureName") for p in root.iter("process")),
        frozenset((p.get("name"), tuple(_argument(a.attrib) for a in p)) for p in root.iter("procedure")),
        frozenset(
            (e.get("id"), e.tag, *_attributes(e, "type", "name", "database", "schema", "processIds"))
            for e in root.iter(*ENTITIES)
        ),
        frozenset(columns.values()),
        frozenset(
            Edge(
                *_attributes(relation, "type", "effectType", "processId"),
                end(relation.find("target")),
                end(source),
                source.get("clauseType", ""),
            )
            for relation in root.iter("relation")
            for source in relation.iter("source")
        ),
        frozenset(_attributes(e, "errorType", "severity", "errorMessage") for e in root.iter("error")),
    )


def _attributes(element: Any, *names: str) -> tuple[str, ...]:
    return tuple(element.get(name, "") for name in names)


def _argument(told: Any) -> tuple[str, ...]:
    return tuple(told.get(name, "") for name in ("name", "datatype", "inout"))
