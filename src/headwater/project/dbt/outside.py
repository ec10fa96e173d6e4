"""Tables that are filled from outside: seeds, by a CSV file of the project, and sources, by somebody else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from headwater.project.dbt.catalog import Columns
from headwater.project.dbt.document import Document, inner, text
from headwater.project.dbt.documented import documented_columns
from headwater.project.dbt.models import query_model
from headwater.project.dbt.naming import stored_name
from headwater.project.dbt.reading import Reading
from headwater.project.dbt.seed_header import seed_columns
from headwater.project.objects import Model


def read_seeds(reading: Reading) -> Iterator[Model]:
    """The project's seeds; their columns are those of the database, else those of the file's header."""
    for node in reading.manifest.of_type("seed"):
        model = query_model(node, reading, "", "nothing")
        columns = reading.columns.get(text(node, "unique_id")) or _from_file(node, reading)
        columns = columns or documented_columns(node, reading.dialect)
        yield replace(model, columns=columns or None)


def read_sources(reading: Reading) -> Iterator[Model]:
    """The tables of other people that the project reads."""
    for node in reading.manifest.sources:
        names = ("sources", text(node, "source_name"), "tables", text(node, "name"))
        place = reading.places.of_entry(node, *names)
        description = text(node, "description") or text(node, "source_description")
        yield replace(query_model(node, reading, "", "nothing"), place=place, description=description)


def _from_file(node: Document, reading: Reading) -> Columns:
    """The columns in the header of a seed's CSV file, as the database calls them."""
    if reading.folder.root is None:
        return {}
    config = inner(node, "config")
    quoted = config.get("quote_columns") is True
    found = seed_columns(Path(reading.places.of_file(node).path), config)
    return {stored_name(name, quoted, reading.dialect): kind for name, kind in found.items()}
