"""PREPARE: a statement that runs later under a name."""

from __future__ import annotations

from typing import Any

from headwater.sql.form import Scheduled
from headwater.sql.reading.reading import Reading, reads


@reads("PREPARE")
def prepare(reading: Reading) -> Any:
    """`PREPARE p (int) AS SELECT …` (PostgreSQL, DuckDB), `PREPARE p FROM SELECT …` (Trino)."""
    reading.take("PREPARE")
    name = reading.name()
    if reading.at_bracket():
        reading.brackets()
    if not reading.take_any("AS", "FROM"):
        return None
    return Scheduled("Prepare", name, reading.statement(reading.rest()))
