"""Exchange formats: one module each, fed by a `Lineage`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from headwater.export.csv_format import to_csv
from headwater.export.json_format import to_json

if TYPE_CHECKING:
    from headwater.lineage.lineage import Lineage

FORMATS: dict[str, Callable[[Lineage], str]] = {"json": to_json, "csv": to_csv}


def render(lineage: Lineage, format: str) -> str:
    """A lineage in one of the formats."""
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}; known are {', '.join(FORMATS)}")
    return FORMATS[format](lineage)
