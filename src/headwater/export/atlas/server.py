"""Sending to a server: its types first, then the entities in batches. What fails in passing is tried again; all of it may be sent again."""

from __future__ import annotations

import io
import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit, urlunsplit

import requests
from apache_atlas.client.base_client import AtlasClient
from apache_atlas.exceptions import AtlasServiceException
from apache_atlas.model.instance import AtlasEntitiesWithExtInfo, AtlasEntity, AtlasObjectId
from apache_atlas.model.misc import SearchFilter
from apache_atlas.model.typedef import AtlasTypesDef
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from headwater.export.atlas.entities import Entities, placeholder
from headwater.export.atlas.types import SERVICE, slim, types
from headwater.export.feed import Feed
from headwater.export.format import Choices, ExportError, Output
from headwater.export.qualified_names import QualifiedNames

BATCH = 200
"""Entities that are sent at once."""
BATCH_CHARACTERS = 1_000_000
"""Characters of text that are sent at once."""
TRIES, BACKOFF, TIMEOUT = 6, 0.5, 120
"""How often a request is tried again, the first pause in seconds (each next one is twice as long), and how long an answer may take."""

_PASSING = frozenset({429, 500, 502, 503, 504})


class Address(NamedTuple):
    """Where a server is, and who asks."""

    url: str
    """Without user and password."""
    user: str
    password: str


def send_to(feed: Feed, url: str, choices: Choices) -> str:
    """Send a feed to the server of a URL; gives what was sent, in words."""
    address = parsed(url)
    names = QualifiedNames(feed, choices.cluster)
    server = _Server(address)
    left_out = Output(io.BytesIO())
    with server.explained():
        server.ensure_types(types())
        batch = _Batch(server)
        for entity in Entities(feed, names, batch.refer, left_out.leave_out):
            batch.add(entity)
        batch.finish()
    said = f"{address.url} has {batch.sent} entities of cluster {names.cluster}"
    return said + "".join(f"; left out: {what}" for what in left_out.left_out())


def parsed(url: str) -> Address:
    """The parts of a URL; user and password may also stand in ATLAS_USER and ATLAS_PASSWORD."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or parts.scheme not in ("http", "https"):
        raise ExportError("this is not the URL of an Atlas server: http://host:21000 is one")
    place = f"[{host}]" if ":" in host else host
    bare = urlunsplit((parts.scheme, place if port is None else f"{place}:{port}", parts.path.rstrip("/"), "", ""))
    user = unquote(parts.username or "") or os.environ.get("ATLAS_USER", "")
    password = unquote(parts.password or "") or os.environ.get("ATLAS_PASSWORD", "")
    return Address(bare, user, password)


class _Server:
    """An Atlas server."""

    def __init__(self, address: Address) -> None:
        logging.getLogger("apache_atlas").addHandler(logging.NullHandler())
        self._address = address
        self._client = AtlasClient(address.url, (address.user, address.password) if address.user else None)
        self._client.host = address.url + "/"  # the client would drop the last part of a gateway's path
        self._client.request_params["timeout"] = TIMEOUT
        again = Retry(
            total=TRIES,
            backoff_factor=BACKOFF,
            status_forcelist=_PASSING,
            allowed_methods=None,
            raise_on_status=False,
        )
        for scheme in ("http://", "https://"):
            self._client.session.mount(scheme, HTTPAdapter(max_retries=again))
        self._client.session.hooks["response"].append(self._remember)
        self._status, self._answer = 0, ""

    def ensure_types(self, wanted: AtlasTypesDef) -> None:
        """Create the types that are not there, and update those of another version."""
        known = self._known_types()
        missing = _only(wanted, lambda each: each["name"] not in known)
        if missing:
            self._create_types(missing)
        changed = _only(wanted, lambda each: known.get(each["name"], each["typeVersion"]) != each["typeVersion"])
        if changed:
            self._client.typedef.update_atlas_typedefs(changed)

    def _create_types(self, missing: dict[str, Any]) -> None:
        try:
            self._client.typedef.create_atlas_typedefs(missing)
        except AtlasServiceException:
            known = self._known_types() if self._status == 409 else {}  # created by a try whose answer was lost
            if any(type["name"] not in known for group in missing.values() for type in group):
                raise

    def _known_types(self) -> dict[str, str]:
        ours = SearchFilter()
        ours.params = {"servicetype": SERVICE}
        found = self._client.typedef.get_all_typedefs(ours) or {}
        groups = [found.get(group) or [] for group in ("entityDefs", "relationshipDefs")]
        return {type["name"]: type.get("typeVersion") for group in groups for type in group}

    def create(self, entities: list[AtlasEntity]) -> None:
        """Create entities, or update those of the same qualified name."""
        self._client.entity.create_entities(slim(AtlasEntitiesWithExtInfo({"entities": entities})))

    def _remember(self, response: requests.Response, *args: object, **kwargs: object) -> None:
        self._status, self._answer = response.status_code, response.text

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turns what the client raises into an `ExportError`, which has no cause that would show the password."""
        try:
            yield
        except AtlasServiceException:
            raise ExportError(f"{self._address.url} answers {self._status}: {self._said()}") from None
        except requests.RequestException as error:
            raise ExportError(f"{self._address.url} cannot be reached: {self._clean(str(error))}") from None

    def _said(self) -> str:
        if self._status in (401, 403):
            return "give user and password in ATLAS_USER and ATLAS_PASSWORD, or in the URL"
        try:
            said = json.loads(self._answer).get("errorMessage") or self._answer
        except (ValueError, AttributeError):
            said = self._answer
        return self._clean(said) or "nothing more"

    def _clean(self, text: str) -> str:
        """One line of at most 500 characters, without the password."""
        password = self._address.password
        return " ".join((text.replace(password, "***") if password else text).split())[:500]


class _Batch:
    """Entities that wait to be sent together."""

    def __init__(self, server: _Server) -> None:
        self._server = server
        self._waiting: dict[str, AtlasEntity] = {}
        self._characters = 0
        self.sent = 0

    def add(self, entity: AtlasEntity) -> None:
        """Take an entity; a full batch is sent."""
        self._waiting[entity.guid] = entity
        self._characters += sum(len(value) for value in entity.attributes.values() if isinstance(value, str))
        if len(self._waiting) >= BATCH or self._characters >= BATCH_CHARACTERS:
            self.finish()

    def finish(self) -> None:
        """Send what waits."""
        if self._waiting:
            self._server.create(list(self._waiting.values()))
            self.sent += len(self._waiting)
        self._waiting.clear()
        self._characters = 0

    def refer(self, type: str, name: str) -> AtlasObjectId:
        """A reference: by placeholder to what is sent together with it, else by qualified name to what was sent before."""
        guid = placeholder(type, name)
        if guid in self._waiting:
            return AtlasObjectId({"guid": guid, "typeName": type})
        return AtlasObjectId({"typeName": type, "uniqueAttributes": {"qualifiedName": name}})


def _only(wanted: AtlasTypesDef, chosen: Any) -> dict[str, Any]:
    """Some of the types, as plain values; empty if there are none."""
    plain = slim(wanted)
    found = {group: [type for type in all if chosen(type)] for group, all in plain.items()}
    return found if any(found.values()) else {}
