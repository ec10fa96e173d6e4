"""Tables that are filled from outside: seeds, by a CSV file of the project, and sources, by somebody else."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from headwater.project.dbt.catalog import Columns
from headwater.project.dbt.document import Document, inner, text
from headwater.project.dbt.documented import documented_columns
from headwater.project.dbt.models import query_model
from headwater.project.dbt.naming import column_name
from headwater.project.dbt.reading import Reading
from headwater.project.objects import Model
from headwater.sql.text import decode

_HEADER = 1_000_000
"""How far into a seed's file its header may reach."""


def read_seeds(reading: Reading) -> Iterator[Model]:
    """The project's seeds; their columns are those of the database, else those of the file's header."""
    for node in reading.manifest.of_type("seed"):
        model = query_model(node, reading, "", "nothing")
        columns = reading.columns.get(text(node, "unique_id")) or _from_file(node, reading) or documented_columns(node)
        yield replace(model, columns=columns or None)


def read_sources(reading: Reading) -> Iterator[Model]:
    """The tables of other people that the project reads."""
    for node in reading.manifest.sources:
        names = ("sources", text(node, "source_name"), "tables", text(node, "name"))
        place = reading.places.of_entry(node, *names)
        description = text(node, "description") or text(node, "source_description")
        yield replace(query_model(node, reading, "", "nothing"), place=place, description=description)


def _from_file(node: Document, reading: Reading) -> Columns:
    """The columns in the header of a seed's CSV file, with the types that its configuration gives them."""
    path = Path(reading.places.of_file(node).path)
    if reading.folder.root is None or not path.is_file():
        return {}
    config = inner(node, "config")
    with path.open("rb") as file:
        start = decode(file.read(_HEADER)).text
    rows = csv.reader(start.splitlines(), delimiter=text(config, "delimiter")[:1] or ",")
    try:
        header = next(rows, [])
    except csv.Error:
        return {}
    types = inner(config, "column_types")
    quoted = config.get("quote_columns") is True
    return {_column(name, quoted, reading): text(types, name) for name in map(str.strip, header) if name}


def _column(name: str, quoted: bool, reading: Reading) -> str:
    return column_name(name, reading.dialect) if quoted else name
