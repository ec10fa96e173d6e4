"""GraphML: columns as nodes (tables at the table level), one edge for each source of each relation; for yEd, Gephi, networkx."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape

from headwater.export.feed import Feed
from headwater.export.format import Choices, Format, Output
from headwater.export.picture.lines import Line, graph
from headwater.export.records import Column, Entity, Process

VERSION = "1"

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

_KEYS = {
    "graph": {"format": "string", "version": "string", "level": "string", "dialect": "string"},
    "node": {
        "name": "string",
        "column": "string",
        "data_type": "string",
        "row_set": "boolean",
        "inferred": "boolean",
        "entity": "long",
        "entity_name": "string",
        "entity_kind": "string",
        "entity_type": "string",
        "alias": "string",
        "temporary": "boolean",
        "file_format": "string",
    },
    "edge": {
        "type": "string",
        "subtype": "string",
        "clause": "string",
        "masking": "boolean",
        "candidate": "boolean",
        "effect": "string",
        "expression": "string",
        "process": "long",
        "process_type": "string",
        "procedure": "string",
        "query_hash": "string",
        "file": "string",
        "line": "int",
    },
}
"""What is said of the graph, of nodes and of edges, and of which type it is."""

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""

Value = str | int | bool | None


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """A feed as a GraphML document; nodes of the complete level stand before the edges of their statement."""
    level = feed.scope.level
    output.write(_HEAD)
    for what, keys in _KEYS.items():
        for key, type_ in keys.items():
            default = "<default>false</default>" if type_ == "boolean" else ""
            output.write(
                f'  <key id="{what}_{key}" for="{what}" attr.name="{key}" attr.type="{type_}">{default}</key>\n'
            )
    output.write('  <graph id="lineage" edgedefault="directed">\n')
    said: dict[str, Value] = {"format": "headwater", "version": VERSION, "level": level, "dialect": feed.dialect}
    output.write(_data("graph", said, "    ") + "\n")
    number = 0
    for each in graph(feed, level):
        if isinstance(each, Line):
            number += 1
            text = _edge(number, each, feed.process(each.process))
        else:
            text = "".join(_nodes(each, level == "table"))
            if not text:
                output.leave_out("entities without columns, which have no node")
        text, count = _NOT_XML.subn("\ufffd", text)
        output.leave_out("characters that XML cannot hold", count)
        output.write(text)
    output.write("  </graph>\n</graphml>\n")


def _nodes(entity: Entity, whole: bool) -> Iterator[str]:
    about: dict[str, Value] = {
        "entity": entity.id,
        "entity_name": entity.name,
        "entity_kind": entity.kind.value,
        "entity_type": entity.type,
        "alias": entity.alias,
        "temporary": entity.temporary,
        "file_format": entity.file_format,
    }
    if whole:
        yield _node(entity.id, {"name": entity.name, **about})
        return
    for column in entity.columns:
        yield _node(column.id, {**_column(entity, column), **about})


def _column(entity: Entity, column: Column) -> dict[str, Value]:
    return {
        "name": f"{entity.name}.{column.name}",
        "column": column.name,
        "data_type": column.data_type,
        "row_set": column.row_set,
        "inferred": column.inferred,
    }


def _node(id: int, said: dict[str, Value]) -> str:
    return f'    <node id="n{id}">{_data("node", said)}</node>\n'


def _edge(number: int, line: Line, process: Process) -> str:
    place = line.place or (process.places[0] if process.places else None)
    said: dict[str, Value] = {
        "type": line.kind.type,
        "subtype": line.kind.subtype,
        "clause": line.kind.clause,
        "masking": line.kind.masking,
        "candidate": line.kind.candidate,
        "effect": line.effect,
        "expression": line.expression,
        "process": line.process,
        "process_type": process.type,
        "procedure": process.procedure,
        "query_hash": process.query_hash,
        "file": process.path,
        "line": place.start.line if place else None,
    }
    return (
        f'    <edge id="e{number}" source="n{line.source.id}" target="n{line.target.id}">{_data("edge", said)}</edge>\n'
    )


def _data(what: str, said: dict[str, Value], before: str = "") -> str:
    """What is said, without what is empty or false."""
    return before + "".join(
        f'<data key="{what}_{key}">{_text(value)}</data>'
        for key, value in said.items()
        if value not in (None, "", False)
    )


def _text(value: Value) -> str:
    if value is True:
        return "true"
    return escape(str(value), {"\r": "&#13;"})


FORMAT = Format("graphml", "GraphML: columns as nodes, for yEd, Gephi, Cytoscape and networkx", write)
