"""Apache Atlas: types of our own below `DataSet` and `Process`, and the entities of a feed; as a file, or sent to a server."""

from __future__ import annotations

from headwater.export.feed import Feed
from headwater.export.format import Choices, ExportError, Format, Output


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """Write one JSON document with the types and the entities."""
    try:
        from headwater.export.atlas.document import write_document
    except ModuleNotFoundError as missing:
        raise _not_installed(missing) from missing
    write_document(feed, output, choices)


def send(feed: Feed, url: str, choices: Choices) -> str:
    """Send the types and the entities to the server of a URL; gives what was sent, in words."""
    try:
        from headwater.export.atlas.server import send_to
    except ModuleNotFoundError as missing:
        raise _not_installed(missing) from missing
    return send_to(feed, url, choices)


def _not_installed(missing: ModuleNotFoundError) -> ExportError:
    return ExportError(f"{missing.name} is not installed: pip install 'headwater[atlas]'")


FORMAT = Format(
    "atlas",
    "Apache Atlas: types and entities with their column lineage, as a JSON document or sent to a server",
    write,
    send=send,
    levels=("column", "table"),
)
