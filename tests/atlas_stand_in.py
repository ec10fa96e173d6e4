"""A server that takes what Apache Atlas's v2 endpoints take, and is stricter: what Atlas's own types do not allow it refuses.

Types are checked against those that are there; entities against their types: known attributes of the right kind, all required ones,
references that lead to an entity of the right type. Entities are kept by type and qualified name. Some requests fail in passing.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

MODELS = ("0010-base_model.json", "1020-fs_model.json", "1030-hive_model.json", "1100-spark_model.json")
_PRIMITIVES: dict[str, type | tuple[type, ...]] = {"string": str, "boolean": bool, "int": int, "long": int, "date": int}
_ENTITY_FIELDS = {
    "name",
    "superTypes",
    "serviceType",
    "typeVersion",
    "attributeDefs",
    "options",
    "category",
    "description",
}
_RELATIONSHIP_FIELDS = {
    *("name", "serviceType", "typeVersion", "relationshipCategory", "relationshipLabel", "propagateTags", "category"),
    *("endDef1", "endDef2", "description", "attributeDefs"),
}
_REQUIRED_FIELDS = {"name", "typeName", "cardinality", "isOptional", "isUnique", "isIndexable"}


class Refused(Exception):
    """An answer other than 200."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Types:
    """Types that are known."""

    def __init__(self, folder: Path) -> None:
        self.entities: dict[str, dict[str, Any]] = {}
        self.relationships: dict[str, dict[str, Any]] = {}
        for model in MODELS:
            self.add(json.loads((folder / model).read_text()), strict=False)

    def add(self, model: dict[str, Any], strict: bool = True) -> None:
        """Add types that are not there yet."""
        entities = {d["name"]: d for d in model.get("entityDefs", [])}
        relationships = {d["name"]: d for d in model.get("relationshipDefs", [])}
        for name in (*entities, *relationships):
            if name in self.entities or name in self.relationships:
                raise Refused(409, f"type {name} already exists")
        before = self.entities, self.relationships
        self.entities, self.relationships = self.entities | entities, self.relationships | relationships
        if strict:
            try:
                self._check(entities.values(), relationships.values())
            except Refused:
                self.entities, self.relationships = before
                raise

    def update(self, model: dict[str, Any]) -> None:
        """Replace types that are there."""
        for group, known in (("entityDefs", self.entities), ("relationshipDefs", self.relationships)):
            for definition in model.get(group, []):
                if definition["name"] not in known:
                    raise Refused(404, f"there is no type {definition['name']}")
                known[definition["name"]] = definition
        self._check(model.get("entityDefs", []), model.get("relationshipDefs", []))

    def _check(self, entities: Any, relationships: Any) -> None:
        for definition in entities:
            self._check_entity(definition)
        for definition in relationships:
            self._check_relationship(definition)

    def _check_entity(self, definition: dict[str, Any]) -> None:
        name = definition["name"]
        expect(definition.keys() <= _ENTITY_FIELDS, f"{name}: unknown fields {definition.keys() - _ENTITY_FIELDS}")
        expect(definition["superTypes"], f"{name} has no supertype")
        for above in definition["superTypes"]:
            expect(above in self.entities, f"{name}: there is no supertype {above}")
        inherited = {a for above in definition["superTypes"] for a in self.attributes(above)}
        for attribute in definition.get("attributeDefs", []):
            expect(attribute.keys() >= _REQUIRED_FIELDS, f"{name}.{attribute['name']} is not complete")
            expect(attribute["typeName"] in _PRIMITIVES, f"{name}.{attribute['name']}: no type {attribute['typeName']}")
            expect(attribute["name"] not in inherited, f"{name}.{attribute['name']} is inherited already")
        shown = (definition.get("options") or {}).get("schemaElementsAttribute")
        expect(shown is None or shown in self.ends(name), f"{name} has no {shown}")

    def _check_relationship(self, definition: dict[str, Any]) -> None:
        name, category = definition["name"], definition["relationshipCategory"]
        expect(definition.keys() <= _RELATIONSHIP_FIELDS, f"{name}: unknown fields")
        expect(definition["propagateTags"] in ("NONE", "ONE_TO_TWO", "TWO_TO_ONE", "BOTH"), f"{name}: propagateTags")
        ends = [definition["endDef1"], definition["endDef2"]]
        for end in ends:
            expect(end["type"] in self.entities, f"{name}: there is no type {end['type']}")
            expect(end["cardinality"] in ("SINGLE", "LIST", "SET"), f"{name}: cardinality")
        containers = [end for end in ends if end["isContainer"]]
        expect(category in ("ASSOCIATION", "AGGREGATION", "COMPOSITION"), f"{name}: {category}")
        expect(len(containers) == (0 if category == "ASSOCIATION" else 1), f"{name}: {category} with that container")
        if category == "COMPOSITION":
            (child,) = (end for end in ends if not end["isContainer"])
            expect(child["cardinality"] == "SINGLE", f"{name}: a part has one whole")

    def lines_of(self, type: str) -> Iterator[str]:
        """The type and all above it."""
        yield type
        for above in self.entities[type].get("superTypes", []):
            yield from self.lines_of(above)

    def attributes(self, type: str) -> dict[str, dict[str, Any]]:
        """The attributes of a type, its own and inherited."""
        return {a["name"]: a for t in self.lines_of(type) for a in self.entities[t].get("attributeDefs", [])}

    def ends(self, type: str) -> dict[str, dict[str, Any]]:
        """What a type's relationships call their other ends, and those ends."""
        above = set(self.lines_of(type))
        found = {}
        for definition in self.relationships.values():
            one, other = definition["endDef1"], definition["endDef2"]
            for here, there in ((one, other), (other, one)):
                if here["type"] in above:
                    found[here["name"]] = {**there, "cardinality": here["cardinality"]}
        return found


def expect(holds: object, message: str) -> None:
    if not holds:
        raise Refused(400, message)


class StandIn:
    """The server's state."""

    def __init__(self, folder: Path, failing: int = 0, user: tuple[str, str] | None = None) -> None:
        self.types = Types(folder)
        self.entities: dict[tuple[str, str], dict[str, Any]] = {}
        self.requests: list[str] = []
        self.largest = 0
        self.failing = failing
        """Each so manieth request fails; 0: none."""
        self.lose_next_answer = False
        self.user = user
        self._lock = threading.Lock()

    def answer(self, method: str, path: str, authorization: str | None, body: Any) -> Any:
        with self._lock:
            self.requests.append(f"{method} {path}")
            if self.user is not None:
                expected = "Basic " + base64.b64encode(":".join(self.user).encode()).decode()
                if authorization != expected:
                    raise Refused(401, f"not for {authorization}")
            if self.failing and len(self.requests) % self.failing == 0:
                raise Refused(503, "busy")
            found = self._answer(method, path.partition("?")[0].rstrip("/"), body)
            if self.lose_next_answer:
                self.lose_next_answer = False
                raise Refused(503, "the answer is lost")
            return found

    def _answer(self, method: str, path: str, body: Any) -> Any:
        match method, path.removeprefix("/api/atlas/v2"):
            case "GET", "/types/typedefs":
                return {
                    "entityDefs": list(self.types.entities.values()),
                    "relationshipDefs": list(self.types.relationships.values()),
                }
            case "POST", "/types/typedefs":
                self.types.add(body)
                return body
            case "PUT", "/types/typedefs":
                self.types.update(body)
                return body
            case "POST", "/entity/bulk":
                return self._create(body)
        raise Refused(404, f"no {method} {path}")

    def _create(self, body: dict[str, Any]) -> Any:
        entities = body["entities"]
        self.largest = max(self.largest, len(entities))
        types = {entity["guid"]: entity["typeName"] for entity in entities}
        expect(len(types) == len(entities), "a guid is used twice")
        for entity in entities:
            self._check(entity, types)
        for entity in entities:
            key = (entity["typeName"], entity["attributes"]["qualifiedName"])
            self.entities[key] = entity
        return {"guidAssignments": {guid: guid[1:] for guid in types}}

    def _check(self, entity: dict[str, Any], together: dict[str, str]) -> None:
        type_, given = entity["typeName"], entity["attributes"]
        expect(type_ in self.types.entities, f"there is no type {type_}")
        expect(entity["guid"].startswith("-"), "a new entity's guid begins with -")
        attributes, ends = self.types.attributes(type_), self.types.ends(type_)
        for name, value in given.items():
            expect(name in attributes, f"{type_} has no attribute {name}")
            wanted = attributes[name]["typeName"]
            if wanted.startswith("array<"):
                for reference in value:
                    self._resolve(reference, wanted[6:-1], together)
            else:
                kind = _PRIMITIVES[wanted]
                expect(isinstance(value, kind) and (kind is not int or value is not True), f"{type_}.{name}: {value!r}")
        for name, attribute in attributes.items():
            expect(attribute["isOptional"] or given.get(name) is not None, f"{type_} needs {name}")
        for name, reference in entity.get("relationshipAttributes", {}).items():
            expect(name in ends, f"{type_} has no relationship {name}")
            expect(ends[name]["cardinality"] == "SINGLE", f"{type_}.{name} has many")
            self._resolve(reference, ends[name]["type"], together)

    def _resolve(self, reference: dict[str, Any], wanted: str, together: dict[str, str]) -> None:
        type_ = reference["typeName"]
        if "guid" in reference:
            expect(together.get(reference["guid"]) == type_, f"nothing has guid {reference['guid']}")
        else:
            name = reference["uniqueAttributes"]["qualifiedName"]
            expect((type_, name) in self.entities, f"there is no {type_} {name}")
        expect(wanted in self.types.lines_of(type_), f"a {type_} is no {wanted}")


@contextmanager
def serving(state: StandIn) -> Iterator[str]:
    """The server's URL."""

    class Handler(BaseHTTPRequestHandler):
        def _handle(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            try:
                status, answer = 200, state.answer(self.command, self.path, self.headers.get("Authorization"), body)
            except Refused as refused:
                status, answer = refused.status, {"errorCode": "ATLAS", "errorMessage": str(refused)}
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = _handle  # noqa: N815

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
