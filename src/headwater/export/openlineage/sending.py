"""Events, sent: by the transports of OpenLineage's own client, to a server or to the end of a file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import requests
from openlineage.client.transport import Transport
from openlineage.client.transport.file import FileConfig, FileTransport
from openlineage.client.transport.http import HttpConfig, HttpTransport
from openlineage.client.transport.http_common import DEFAULT_RETRY_CONFIG

from headwater.export.feed import Feed
from headwater.export.format import Choices, ExportError
from headwater.export.openlineage.events import events, when_sent

_ENDPOINT = "api/v1/lineage"
_KEY = "OPENLINEAGE_API_KEY"
_RETRY = {**DEFAULT_RETRY_CONFIG, "status_forcelist": [429, *DEFAULT_RETRY_CONFIG["status_forcelist"]]}
_PATIENCE = 30.0
"""Seconds that a server may take for an event."""


def send_events(feed: Feed, url: str, choices: Choices) -> str:
    """Send a feed's events; gives how many, where to, and what they could not say."""
    left_out: Counter[str] = Counter()

    def leave_out(what: str) -> None:
        left_out[what] += 1

    sent = 0
    try:
        shown = _without_user(url)
    except ValueError:
        raise ExportError("events are sent to http://…, https://… or file:…, and this is no URL") from None
    with _transport(url) as transport:
        for event in events(feed, choices.namespace, when_sent(choices.time), leave_out):
            try:
                transport.emit(event)
            except (requests.RequestException, RuntimeError) as error:
                raise ExportError(f"{shown} does not take event {sent + 1}: {_reason(error)}") from None
            sent += 1
    said = ", ".join(f"{count} {what}" for what, count in sorted(left_out.items()))
    return f"{sent} events sent to {shown}" + (f"; not told: {said}" if said else "")


@contextmanager
def _transport(url: str) -> Iterator[Transport]:
    transport = _made(url)
    try:
        yield transport
    finally:
        transport.close()


def _made(url: str) -> Transport:
    parts = urlsplit(url)
    if parts.scheme in ("http", "https") and parts.netloc:
        config: dict[str, object] = {
            "url": f"{parts.scheme}://{parts.netloc}",
            "endpoint": url.split(parts.netloc, 1)[1].strip("/") or _ENDPOINT,
            "timeout": _PATIENCE,
            "retry": _RETRY,
        }
        key = os.environ.get(_KEY)
        return HttpTransport(
            HttpConfig.from_dict(config | ({"auth": {"type": "api_key", "apiKey": key}} if key else {}))
        )
    if parts.scheme == "file" and parts.path:
        return FileTransport(
            FileConfig(f"file://{parts.path}" if url.startswith("file:/") else parts.path, append=True)
        )
    raise ExportError(f"events are sent to http://…, https://… or file:…, not to {_without_user(url)!r}")


def _without_user(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def _reason(error: Exception) -> str:
    """Why it failed, without the address, which may hold a password."""
    response = getattr(error, "response", None)
    if response is not None:
        key = f"; its key is taken from {_KEY}" if response.status_code in (401, 403) else ""
        return f"it answers {response.status_code} {response.reason}{key}"
    if isinstance(error, requests.exceptions.RetryError):
        return "it keeps answering that it cannot now"
    if isinstance(error, requests.Timeout):
        return "it does not answer in time"
    return "it cannot be reached" if isinstance(error, requests.RequestException) else str(error)
