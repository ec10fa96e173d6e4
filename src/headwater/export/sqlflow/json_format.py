"""SQLFlow's JSON: `dbobjs` and `relations` under `data.sqlflow`; ids are texts, as in the reference."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from headwater import __version__
from headwater.export.feed import Feed
from headwater.export.format import Choices, Format, Output
from headwater.export.sqlflow import MODEL_VERSION
from headwater.export.sqlflow.elements import Element, Elements
from headwater.export.sqlflow.vocabulary import vendor


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """Write a feed as one document, object by object. What is inside of statements follows the relations, under `dbobjs` of its own."""
    about = {"version": __version__, "model": MODEL_VERSION, "level": feed.scope.level}
    output.write(f'{{"code": 200, "headwater": {json.dumps(about)}, "data": {{"mode": "global", "sqlflow": {{\n')
    output.write(f'"dbvendor": {json.dumps(vendor(feed.dialect))},\n"dbobjs": [')
    elements = Elements(feed)
    _write_all(output, _objects(elements))
    output.write('],\n"relations": [')
    _write_all(output, (_relation(e) for e in Elements(feed).relations() if e.name == "relation"))
    output.write('],\n"errors": [')
    _write_all(output, (element.attributes for element in elements.errors()))
    output.write('],\n"scripts": [')
    _write_all(output, ({"number": script.number, "path": script.path} for script in feed.scripts()))
    output.write("]}}}\n")


def _objects(elements: Elements) -> Iterator[dict[str, Any]]:
    yield from (
        {**_plain(process), "processType": process.attributes["type"], "type": "process"}
        for process in elements.processes()
    )
    yield from map(_procedure, elements.procedures())
    yield from map(_object, elements.entities())
    yield from (_object(element) for element in elements.relations() if element.name != "relation")


def _procedure(element: Element) -> dict[str, Any]:
    return {**_plain(element), "arguments": [_plain(child) for child in element.children]}


def _object(element: Element) -> dict[str, Any]:
    found: dict[str, Any] = _plain(element)
    if element.name == "resultset":
        found["type"] = "resultset"
        found["resultsetType"] = element.attributes["type"]
    if element.children:
        found["columns"] = [_plain(child) for child in element.children]
    return found


def _relation(element: Element) -> dict[str, Any]:
    target, *sources = element.children
    return {**_plain(element), "target": _plain(target), "sources": [_plain(source) for source in sources]}


def _plain(element: Element) -> dict[str, str]:
    return {name: value for name, value in element.attributes.items() if value}


def _write_all(output: Output, values: Iterable[object]) -> None:
    for number, value in enumerate(values):
        output.write((",\n" if number else "\n") + json.dumps(value))


FORMAT = Format("sqlflow-json", "SQLFlow's JSON (dbobjs and relations)", write, level="complete")
