"""OpenLineage's own JSON schemas, from ../shared/specs/openlineage where that folder exists, and a check that is stricter than they are.

The schemas allow properties that nobody has heard of nearly everywhere: those are found too.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

_SHARED = Path(os.environ.get("HEADWATER_SHARED", Path(__file__).parent.parent.parent / "shared"))
SCHEMAS = _SHARED / "specs" / "openlineage"
NO_SCHEMAS = "OpenLineage's JSON schemas are not beside this repository (../shared/specs/openlineage)"
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[\w.~:/?#\[\]@!$&'()*+,;=%-]*", re.ASCII)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
_FACETS = ("facets", "inputFacets", "outputFacets")


@cache
def _registry() -> Registry[Any]:
    files = [SCHEMAS / "OpenLineage.json", *sorted((SCHEMAS / "facets").glob("*.json"))]
    contents = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return Registry().with_resources([(each["$id"], Resource.from_contents(each)) for each in contents])


def violations(event: dict[str, Any]) -> list[str]:
    """What is wrong with an event, by its own schema and those of its facets."""
    return [f"{where}: {what}" for where, what in _violations(event)]


def _violations(event: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield from _of(event, event["schemaURL"], "event")
    parts = [("run", event.get("run", {})), ("job", event["job"])]
    parts += [(side, each) for side in ("inputs", "outputs") for each in event.get(side, [])]
    for name, part in parts:
        for facets in _FACETS:
            for facet, content in part.get(facets, {}).items():
                yield from _of(content, content["_schemaURL"], f"{name}.{facet}")
                yield from _as_named(facet, content, name)


def _as_named(facet: str, content: dict[str, Any], where: str) -> Iterator[tuple[str, str]]:
    """A facet's key must be the one that its schema gives it."""
    schema = content["_schemaURL"].partition("#")[0]
    if facet not in _registry().resolver(schema).lookup(schema).contents["properties"]:
        yield f"{where}.{facet}", "its schema does not know it by this name"


def _of(content: Any, url: str, where: str) -> Iterator[tuple[str, str]]:
    resolved = _registry().resolver().lookup(url)
    validator = Draft202012Validator({"$ref": url}, registry=_registry())
    for error in validator.iter_errors(content):
        yield f"{where}.{error.json_path}", error.message
    yield from _unheard_of(content, resolved.contents, resolved.resolver, where)


def _unheard_of(content: Any, schema: Any, resolver: Any, where: str) -> Iterator[tuple[str, str]]:
    """Properties that a schema does not list, and texts that do not have its format."""
    listed, rest, schemas = _listed(schema, resolver)
    for each, _ in schemas:
        if each.get("format") in ("uri", "date-time") and not (_URI if each["format"] == "uri" else _TIME).fullmatch(
            str(content)
        ):
            yield where, f"{content!r} is no {each['format']}"
    if isinstance(content, list):
        for each, inside in schemas:
            for number, item in enumerate(content) if "items" in each else ():
                yield from _unheard_of(item, each["items"], inside, f"{where}[{number}]")
    elif isinstance(content, dict):
        for key, value in content.items():
            if key in _FACETS and key in listed:
                continue
            found: Any = listed.get(key) or rest
            if found is None:
                yield where, f"{key!r} is not in the schema"
            else:
                yield from _unheard_of(value, *found, f"{where}.{key}")


def _listed(schema: Any, resolver: Any) -> tuple[dict[str, Any], Any, list[tuple[Any, Any]]]:
    """The properties that a schema lists, what it says of others, and the schemas that it is made of."""
    listed: dict[str, Any] = {}
    rest = None
    together = []
    pending = [(schema, resolver)]
    while pending:
        each, inside = pending.pop()
        together.append((each, inside))
        if "$ref" in each:
            found = inside.lookup(each["$ref"])
            pending.append((found.contents, found.resolver))
        pending += [(part, inside) for part in each.get("allOf", [])]
        listed |= {name: (part, inside) for name, part in each.get("properties", {}).items()}
        if isinstance(each.get("additionalProperties"), dict):
            rest = (each["additionalProperties"], inside)
    return listed, rest, together
