"""The playground's question and answer."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from headwater.server.shapes.diagram import Diagram, Level, Place, Shape

MOST_SQL = 1_000_000
"""Characters of a script that the playground takes."""


class AnalyzeRequest(Shape):
    """A script, and how it is to be read."""

    sql: str = Field(max_length=MOST_SQL)
    dialect: str = Field("spark", max_length=200, description="One dialect, or several with commas between.")
    sources: str = Field("", max_length=MOST_SQL, description='A schema: JSON (`{"db.t": {"a": "int"}}`) or DDL.')
    default_schema: str | None = Field(None, max_length=500)
    ambiguous: Literal["candidates", "first", "prefix"] = "candidates"
    level: Level = "complete"
    functions: bool = Field(True, description="Functions as entities of their own. Complete level.")
    intermediate: bool = Field(True, description="Result sets. Complete level.")


class AnalyzeExportRequest(AnalyzeRequest):
    """A script, and the format in which its lineage is wanted."""

    format: str = Field("json", max_length=40, description="A text format of `GET /api/v1/about`.")


class AnalyzeExport(Shape):
    """The lineage of a script as one document."""

    format: str
    text: str
    left_out: list[str] = Field(description="What the format cannot express, in words.")


class Said(Shape):
    """A diagnostic."""

    code: str
    severity: Literal["error", "warning", "info"]
    message: str
    subject: str
    hint: str
    place: Place | None


class AnalyzeAnswer(Shape):
    """The lineage of a script."""

    diagram: Diagram
    tables: Diagram = Field(description="The table level of the same script.")
    diagnostics: list[Said]
    milliseconds: float
