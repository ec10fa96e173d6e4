"""The header of a seed's CSV file: the columns of its table."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from headwater.files import open_file, passes_over
from headwater.project.dbt.document import inner, text
from headwater.sql.text import decode

_HEADER = 1_000_000
"""How far into the file its header may reach."""


def seed_columns(path: Path, config: Mapping[str, object]) -> dict[str, str]:
    """The columns as the file names them, with the types that the seed's configuration gives them."""
    if not path.is_file() or passes_over(path):
        return {}
    with open_file(path) as file:
        start = decode(file.read(_HEADER)).text
    rows = csv.reader(start.splitlines(), delimiter=text(config, "delimiter")[:1] or ",")
    try:
        header = next(rows, [])
    except csv.Error:
        return {}
    types = inner(config, "column_types")
    return {name: text(types, name) for name in map(str.strip, header) if name}
