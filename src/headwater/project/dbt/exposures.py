"""Exposures: what people outside look at, and the models, sources and metrics that it is made of."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.project.dbt.document import Document, inner, text, texts
from headwater.project.dbt.documented import tags_of
from headwater.project.dbt.reading import Reading
from headwater.project.objects import Presentation, Reference


def read_exposures(reading: Reading) -> Iterator[Presentation]:
    """The project's exposures; who owns them and where they are found on the web is left out."""
    for node in reading.manifest.exposures:
        name = text(node, "name")
        yield Presentation(
            kind="exposure",
            word="exposure",
            name=name,
            place=reading.places.of_entry(node, "exposures", name),
            shows=tuple(_shown(node)),
            tags=tags_of(node),
        )


def _shown(node: Document) -> Iterator[Reference]:
    for unique_id in texts(inner(node, "depends_on"), "nodes"):
        kind, _, rest = unique_id.partition(".")
        name = rest.partition(".")[2]
        yield Reference(name if kind == "metric" else unique_id)
