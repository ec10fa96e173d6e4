"""JSON of our own, version 1: statements, edges of the column or table level, diagnostics; as `analyze` prints it, for a store too."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from headwater.export.feed import Feed
from headwater.export.format import Choices, Format, Output
from headwater.export.json_format import VERSION
from headwater.export.records import End, Entity, Place, Procedure, Process, Relation

Json = dict[str, Any]


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """Write a feed as one document, record by record."""
    about = {"format": "headwater", "version": VERSION, "level": feed.scope.level}
    output.write(json.dumps(about, indent=2)[:-2])
    _write_all(output, "scripts", ({"number": script.number, "file": script.path or None} for script in feed.scripts()))
    _write_all(output, "statements", ({"process": _process(p), "dialect": p.dialect} for p in feed.processes()))
    _write_all(output, "procedures", map(_procedure, feed.procedures()))
    if feed.scope.level == "complete":
        _write_all(output, "entities", _entities(feed))
        _write_all(output, "relations", (_relation(relation) for relation in feed.relations()))
    elif feed.scope.level == "table":
        _write_all(output, "edges", _table_edges(feed))
    else:
        _write_all(output, "edges", (edge for relation in feed.relations() for edge in _edges(relation)))
    _write_all(output, "diagnostics", _diagnostics(feed))
    output.write("\n}\n")


def _write_all(output: Output, name: str, values: Iterable[Json]) -> None:
    output.write(f',\n  "{name}": [')
    some = False
    for value in values:
        output.write((",\n    " if some else "\n    ") + json.dumps(value, ensure_ascii=False))
        some = True
    output.write("\n  ]" if some else "]")


def _process(process: Process) -> Json:
    return {
        "id": str(process.id),
        "type": process.type,
        "name": process.name,
        "procedure": process.procedure,
        "queryHashId": process.query_hash,
        "file": process.path or None,
        "span": _span(process.places[0] if process.places else None),
    }


def _procedure(procedure: Procedure) -> Json:
    return {
        "id": str(procedure.id),
        "kind": procedure.kind,
        "name": procedure.name,
        "process": str(procedure.process),
        "spans": [_span(place) for place in procedure.places],
        "arguments": [
            {"name": a.name, "data_type": a.data_type or None, "mode": a.mode, "spans": [_span(p) for p in a.places]}
            for a in procedure.arguments
        ],
    }


def _entities(feed: Feed) -> Iterator[Json]:
    yield from map(_entity, feed.entities())
    for part in feed.parts():
        yield from map(_entity, part.entities)


def _entity(entity: Entity) -> Json:
    return {
        "id": str(entity.id),
        "kind": entity.kind.value,
        "type": entity.type,
        "name": entity.name,
        "parts": list(entity.parts),
        "alias": entity.alias,
        "temporary": entity.temporary,
        "file_format": entity.file_format or None,
        "spans": [_span(place) for place in entity.places],
        "columns": [
            {"id": str(c.id), "name": c.name, "data_type": c.data_type, "inferred": c.inferred} for c in entity.columns
        ],
    }


def _relation(relation: Relation) -> Json:
    return {
        "target": str(relation.target.column),
        "type": relation.type,
        "effect": relation.effect or None,
        "expression": relation.expression,
        "process": str(relation.process),
        "sources": [
            {
                "column": str(source.end.column),
                "subtype": source.kind.subtype,
                "clause": source.kind.clause,
                "masking": source.kind.masking,
                "candidate": source.kind.candidate,
                "as_of": source.kind.as_of or None,
                "span": _span(source.place),
            }
            for source in relation.sources
        ],
    }


def _edges(relation: Relation) -> Iterator[Json]:
    for source in relation.sources:
        yield {
            "source": _end(source.end),
            "target": _end(relation.target),
            "type": relation.type,
            "subtype": source.kind.subtype,
            "clause": source.kind.clause,
            "masking": source.kind.masking,
            "candidate": source.kind.candidate,
            "as_of": source.kind.as_of or None,
            "expression": relation.expression,
            "span": _span(relation.place),
            "process": str(relation.process),
        }


def _end(end: End) -> Json:
    return {"table": ".".join(end.parts) or None, "column": end.column_name}


def _table_edges(feed: Feed) -> Iterator[Json]:
    for relation in feed.table_relations():
        source, target = (".".join(feed.entity(id).parts) or None for id in (relation.source, relation.target))
        yield {"source": source, "target": target, "process": str(relation.process)}


def _diagnostics(feed: Feed) -> Iterator[Json]:
    for said in feed.remarks():
        yield {
            "code": said.code,
            "severity": said.severity,
            "message": said.message,
            "subject": said.subject,
            "hint": said.hint,
            "script": said.script if said.script >= 0 else None,
            "span": _span(said.place),
            "process": str(said.process) if said.process else None,
        }


def _span(place: Place | None) -> Json | None:
    if place is None:
        return None
    return {"script": place.script, "start": [*place.start], "end": [*place.end]}


FORMAT = Format("json", "our own JSON, every level", write)
