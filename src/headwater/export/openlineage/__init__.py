"""OpenLineage: one run event for each process, as a line of JSON in a file, or sent by OpenLineage's own client.

`events` makes events of a feed, `facets` what they say of data sets and jobs, `column_lineage` the relations, `sending` gives them away.
OpenLineage's client is imported by these only, when an export is made. Reading is `headwater.openlineage`.
"""

from __future__ import annotations

from headwater.export.feed import Feed
from headwater.export.format import Choices, ExportError, Format, Output


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """Write one event per line."""
    with _Client():
        from openlineage.client.serde import Serde

        from headwater.export.openlineage.events import events, in_file

        for event in events(feed, choices.namespace, in_file(choices.time), output.leave_out):
            output.write(Serde.to_json(event, ensure_ascii=False) + "\n")


def send(feed: Feed, url: str, choices: Choices) -> str:
    """Send the events to a server, or to a file by OpenLineage's own transport."""
    with _Client():
        from headwater.export.openlineage.sending import send_events

        return send_events(feed, url, choices)


class _Client:
    """Says what to install if OpenLineage's client is not there."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in (
            "openlineage",
            "attr",
            "requests",
        ):
            raise ExportError("OpenLineage's client is not installed: pip install 'headwater[openlineage]'") from None


FORMAT = Format(
    "openlineage",
    "OpenLineage run events with column lineage, one per line; or sent to Marquez, DataHub and others",
    write,
    send=send,
    levels=("column", "table"),
)
