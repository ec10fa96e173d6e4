"""HTML: one page that holds its graph, its style and its script, and asks no network for anything.

The template `page.html` stands beside this module. Whatever comes from the user stands in it as JSON in which no character can end the
element, and is shown as text only. The page's policy allows its own script and style by their hashes, and nothing else.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

from headwater.export.feed import Feed
from headwater.export.format import Choices, Format, Output
from headwater.export.picture.drawing import Drawing, Limits, drawing
from headwater.export.picture.labels import visible
from headwater.export.picture.lines import Line
from headwater.export.picture.looks import fill, word
from headwater.export.records import Column, Entity

VERSION = "1"
LIMITS = Limits(entities=1500, columns=5000, lines=12000)
"""What a browser draws and moves without effort."""

_LONGEST_NAME = 300
_LONGEST_EXPRESSION = 1000


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """A feed as a page with a graph to look around in."""
    picture = drawing(feed, LIMITS, output)
    kinds = sorted({entity.kind for entity in picture.entities})
    fills = "\n".join(f".fill.k-{kind.value} {{ fill: {fill(kind)}; }}" for kind in kinds)
    page = files("headwater.export").joinpath("page.html").read_text("utf-8").replace("{{fills}}", fills)
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src '{_hash(page, 'script')}'",
            f"style-src '{_hash(page, 'style')}'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    head, tail = page.replace("{{version}}", VERSION).replace("{{policy}}", policy).split("{{data}}")
    output.write(head)
    output.write(_json(_data(feed, picture)))
    output.write(tail)


def _hash(page: str, element: str) -> str:
    """The hash of the template's own script or style, as a policy names it."""
    found = re.search(f"<{element}>(.*?)</{element}>", page, re.DOTALL)
    assert found, f"the template has no {element}"
    return "sha256-" + b64encode(sha256(found[1].encode()).digest()).decode()


def _json(data: Any) -> str:
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _data(feed: Feed, picture: Drawing) -> dict[str, Any]:
    """What the page's script reads; tables, columns and processes are named by their place in their list."""
    numbers = {entity.id: number for number, entity in enumerate(picture.entities)}
    places = {c.id: number for entity in picture.entities for number, c in enumerate(_sorted(entity))}
    processes: dict[int, int] = {}
    lines = [
        [
            numbers[alike[0].source.entity],
            places.get(alike[0].source.column, -1),
            numbers[alike[0].target.entity],
            places.get(alike[0].target.column, -1),
            alike[0].look,
            [_why(line, processes.setdefault(line.process, len(processes))) for line in alike],
        ]
        for alike in picture.lines
    ]
    return {
        "format": "headwater",
        "version": VERSION,
        "level": picture.level,
        "note": "" if picture.level == feed.scope.level else f"Too large for columns ({LIMITS}): this shows tables.",
        "tables": [_table(entity, picture.level == "table") for entity in picture.entities],
        "lines": lines,
        "processes": [[process.type, visible(process.path)] for process in map(feed.process, processes)],
    }


def _table(entity: Entity, closed: bool) -> dict[str, Any]:
    return {
        "name": visible(entity.name or "(result)", _LONGEST_NAME),
        "kind": entity.kind.value,
        "type": entity.type,
        "word": word(entity),
        "columns": [] if closed else [_column(column) for column in _sorted(entity)],
    }


def _column(column: Column) -> dict[str, Any]:
    type_ = visible(column.data_type or "", _LONGEST_NAME)
    return {
        "name": visible(column.name, _LONGEST_NAME),
        "type": type_,
        "rows": column.row_set,
        "inferred": column.inferred,
    }


def _sorted(entity: Entity) -> list[Column]:
    return sorted(entity.columns, key=lambda column: column.row_set)


def _why(line: Line, process: int) -> list[Any]:
    kind = line.kind
    at = line.place.start.line if line.place else 0
    expression = visible(line.expression, _LONGEST_EXPRESSION)
    return [kind.subtype or "", kind.clause, kind.masking, kind.candidate, process, expression, at]


FORMAT = Format("html", "One HTML page with a graph to search, click and zoom; needs no network", write)
