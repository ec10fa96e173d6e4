"""The file: one JSON document whose `typedefs` and `entities` are what a server's v2 endpoints take as they are."""

from __future__ import annotations

import json
from typing import Any

from apache_atlas.model.instance import AtlasObjectId

from headwater import __version__
from headwater.export.atlas.entities import Entities, placeholder
from headwater.export.atlas.types import slim, types
from headwater.export.feed import Feed
from headwater.export.format import Choices, Output
from headwater.export.qualified_names import QualifiedNames

VERSION = "1"


def write_document(feed: Feed, output: Output, choices: Choices) -> None:
    """Write the types, then the entities as they come."""
    names = QualifiedNames(feed, choices.cluster)
    head = {
        "format": "headwater-atlas",
        "version": VERSION,
        "headwater": __version__,
        "cluster": names.cluster,
        "level": feed.scope.level,
        "typedefs": slim(types()),
    }
    output.write(_text(head)[:-1] + ',\n"entities": {"entities": [')
    separator = "\n"
    for entity in Entities(feed, names, _inside, output.leave_out):
        output.write(separator + _text(slim(entity)))
        separator = ",\n"
    output.write("\n]}}\n")


def _inside(type: str, name: str) -> AtlasObjectId:
    """A reference to an entity of the same document."""
    return AtlasObjectId({"guid": placeholder(type, name), "typeName": type})


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
