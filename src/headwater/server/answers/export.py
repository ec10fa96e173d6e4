"""The lineage of something as a file."""

from __future__ import annotations

import io
import re

from fastapi import Response

from headwater.export import MODULES, format_named
from headwater.export.feed import Level, Scope
from headwater.export.focus import Direction, Focus
from headwater.export.format import Choices, ExportError, Output
from headwater.feeds import StoreFeed, store_focus
from headwater.graph import Column, Graph, Table
from headwater.server.kept import Kept

_feeds: Kept[Graph, StoreFeed] = Kept(StoreFeed)
"""The feeds of graphs: what each reads first takes a while."""

_RETOLD = 2000
"""Statements that are resolved again for one answer: the complete level is not in the store."""

_MEDIA = {
    "json": ("application/json", "json"),
    "csv": ("text/csv; charset=utf-8", "csv"),
    "sqlflow-xml": ("application/xml", "xml"),
    "sqlflow-json": ("application/json", "json"),
    "sqlflow-csv": ("text/csv; charset=utf-8", "csv"),
    "openlineage": ("application/x-ndjson", "ndjson"),
    "atlas": ("application/json", "json"),
    "edges": ("text/csv; charset=utf-8", "csv"),
    "graphml": ("application/graphml+xml", "graphml"),
    "dot": ("text/vnd.graphviz; charset=utf-8", "dot"),
    "mermaid": ("text/plain; charset=utf-8", "mmd"),
    "html": ("text/html; charset=utf-8", "html"),
    "svg": ("image/svg+xml", "svg"),
    "png": ("image/png", "png"),
}
"""Media types and endings; all go as attachments, so that no browser shows one as a page of ours."""


def exported(
    graph: Graph, meant: Column | Table, format: str, focus: tuple[Direction, int | None], level: Level, impact: bool
) -> Response:
    """The lineage of a column or table in a format."""
    if format not in MODULES:
        raise ExportError(f"there is no format {format[:40]}; there are {', '.join(_MEDIA)}")
    wanted = format_named(format)
    if wanted.write is None or format not in _MEDIA:
        raise ExportError(f"{format} {wanted.elsewhere}")
    feed = _feeds(graph).scoped(Scope(wanted.checked(level), impact))
    stream = io.BytesIO()
    wanted.write(store_focus(feed, Focus(_named(feed, meant), *focus)), Output(stream), Choices())
    media, ending = _MEDIA[format]
    name = re.sub(r"[^A-Za-z0-9_.-]+", "_", str(meant))[:80].strip("._") or "lineage"
    headers = {"Content-Disposition": f'attachment; filename="{name}.{ending}"', "X-Content-Type-Options": "nosniff"}
    return Response(stream.getvalue(), media_type=media, headers=headers)


def _named(feed: StoreFeed, meant: Column | Table) -> str:
    """How a focus names a column or table: by the store's id; at the complete level, which is told anew, by the feed's number."""
    if feed.scope.level != "complete":
        return f"id:{meant.id}"
    if len(feed.records.process_ids) > _RETOLD:
        raise ExportError("the complete level of so large a store takes long: use `headwater export --focus NAME`")
    first = feed.records.first_entity if isinstance(meant, Table) else feed.records.first_column
    return f"id:{first + (meant.number if isinstance(meant, Table) else meant.node)}"
