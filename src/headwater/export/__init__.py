"""Exchange formats: one module each, fed by the records of a `Feed`."""

from __future__ import annotations

import io
from importlib import import_module
from typing import TYPE_CHECKING

from headwater.export.csv_format import to_csv
from headwater.export.json_format import to_json

if TYPE_CHECKING:
    from headwater.export.feed import Level
    from headwater.export.format import Format
    from headwater.lineage.lineage import Lineage

MODULES = {
    "json": "json_feed",
    "csv": "csv_feed",
    "sqlflow-xml": "sqlflow.xml_format",
    "sqlflow-json": "sqlflow.json_format",
    "sqlflow-csv": "sqlflow.csv_format",
    "openlineage": "openlineage",
    "rdbms": "rdbms",
    "delta": "delta",
    "iceberg": "iceberg",
    "atlas": "atlas",
    "edges": "edge_list",
    "graphml": "graphml",
    "dot": "dot",
    "mermaid": "mermaid",
    "html": "html_page",
    "svg": "svg",
    "png": "png",
}
"""Where each format is written; a module is imported when somebody asks for its format."""
BINARY = frozenset({"png"})
"""Formats that are no text."""


def format_named(name: str) -> Format:
    """The format of a name."""
    if name not in MODULES:
        raise ValueError(f"unknown format {name!r}; known are {', '.join(MODULES)}")
    found: Format = import_module(f"headwater.export.{MODULES[name]}").FORMAT
    return found


def render(lineage: Lineage, format: str, level: Level | None = None) -> str:
    """A script's lineage in one of the formats that are text; `json` and `csv` as `analyze` prints them."""
    if format == "csv" and level in (None, "column"):
        return to_csv(lineage)
    if format == "json":
        return to_json(lineage, level or "column")
    from headwater.export.feed import Scope
    from headwater.export.format import Choices, Output
    from headwater.export.script_feed import ScriptFeed

    wanted = format_named(format)
    if wanted.write is None:
        raise ValueError(f"{format} {wanted.elsewhere}")
    if format in BINARY:
        raise ValueError(f"{format} is no text: use `headwater export -o FILE`")
    stream = io.BytesIO()
    wanted.write(ScriptFeed([lineage], Scope(wanted.checked(level))), Output(stream), Choices())
    return stream.getvalue().decode("utf-8")
