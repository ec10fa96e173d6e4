"""What the tools answer, as types: the protocol's output schemas are made of these.

They are filled from the graph's plain data (`graph.document`). What may be long is a page, and says how much there is altogether.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Shape(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class PlaceShape(Shape):
    """A place in a script; line and column are counted from 1."""

    path: str
    line: int
    column: int


class TableShape(Shape):
    """A table, view, path, metric, or the like."""

    id: str
    name: str
    kind: str = Field(description="`table`, `view`, `path`, `resultset`, `metric`, …")
    temporary: bool = False


class ColumnShape(Shape):
    """A column."""

    id: str
    name: str = Field(description="In full, as other tools take it: `schema.table.column`.")
    kind: str = Field(description="The kind of its table.")
    data_type: str | None = None


class ReachedShape(Shape):
    """A column or table upstream or downstream."""

    id: str
    name: str
    kind: str
    data_type: str | None = None
    distance: int = Field(description="How many hops away.")


class HopShape(Shape):
    """One step of lineage: what a statement makes of a source."""

    source: str
    target: str
    how: str = Field(
        description="`identity`, `transformation`, `aggregation`; `where`, `joinCondition`, … for influence."
    )
    expression: str = ""
    statement: str | None = Field(None, description="The kind of statement: `Insert`, `Create View`, …")
    place: PlaceShape | None = None


class SearchAnswer(Shape):
    """What a search found."""

    snapshot: str
    total: int = Field(description="How many tables and columns have such a name altogether.")
    tables: list[TableShape]
    columns: list[ColumnShape]


class TableDescription(Shape):
    """A table, its columns and its neighbours."""

    snapshot: str
    table: TableShape
    total_columns: int
    columns: list[ColumnShape]
    total_made_of: int
    made_of: list[TableShape] = Field(description="Tables that it is made of directly.")
    total_used_by: int
    used_by: list[TableShape] = Field(description="Tables that are made of it directly.")


class ColumnDescription(Shape):
    """A column, how it is made and who uses it."""

    snapshot: str
    column: ColumnShape
    total_made_by: int
    made_by: list[HopShape] = Field(description="The steps that make it, and those that decide over its rows.")
    total_used_by: int
    used_by: list[HopShape]


class TraceAnswer(Shape):
    """What lies upstream or downstream, nearest first."""

    snapshot: str
    start: str
    direction: Literal["upstream", "downstream"]
    flow: Literal["data", "impact"]
    level: Literal["column", "table"]
    depth: int | None
    total: int = Field(description="How many columns or tables there are altogether.")
    items: list[ReachedShape]
    total_hops: int
    hops: list[HopShape] = Field(description="The steps on the way, nearest first.")


class WayShape(Shape):
    """One way from a column to another."""

    columns: list[str]
    hops: list[HopShape]


class PathAnswer(Shape):
    """The ways between two columns, shortest first."""

    snapshot: str
    source: str
    target: str
    columns: int = Field(description="How many columns lie on any way; none if there is no way.")
    complete: bool = Field(description="Whether these are all ways.")
    ways: list[WayShape]


class HitShape(Shape):
    """A column that a change hits."""

    id: str
    name: str
    kind: str
    verdict: Literal["breaking", "maybe", "harmless"]
    severity: str
    reason: str
    distance: int
    hop: HopShape


class HitTable(Shape):
    """A table that a change hits, by its worst column."""

    name: str
    kind: str
    verdict: Literal["breaking", "maybe", "harmless"]


class ImpactAnswer(Shape):
    """What a change of a column does."""

    snapshot: str
    column: str
    change: Literal["drop", "rename", "retype"]
    breaking: bool
    safe: bool = Field(description="Whether nothing breaks, and every statement that names the table was understood.")
    total_not_understood: int
    not_understood: list[str] = Field(description="Statements that name the table and may use the column: place, code.")
    verdicts: dict[str, int] = Field(description="How many columns there are of each verdict.")
    total_tables: int
    tables: list[HitTable]
    total: int
    hits: list[HitShape] = Field(description="The worst first, then the nearest.")


class DifferenceShape(Shape):
    """One thing that changed."""

    what: Literal["table", "column", "relation"]
    how: Literal["added", "removed", "changed"]
    name: str
    breaking: bool
    reason: str
    before: str
    after: str
    place: str


class DiffAnswer(Shape):
    """What changed between two snapshots; what breaks comes first."""

    before: str
    after: str
    snapshots: list[str] = Field(description="The newest of the store's snapshots, the newest first.")
    breaking: bool
    counts: dict[str, int] = Field(description="`table added`, `relation removed`, …: how many.")
    total: int
    differences: list[DifferenceShape]


class TaggedShape(Shape):
    """A column that carries a tag."""

    tag: str
    name: str
    kind: str
    own: bool = Field(description="Whether it was said of this very column; else data flows here from `origin`.")
    origin: str
    distance: int


class TagsAnswer(Shape):
    """Columns that carry tags, by name."""

    snapshot: str
    tags: list[str] = Field(description="All tags there are.")
    complete: bool = Field(description="Whether these are all.")
    columns: list[TaggedShape]


class CauseShape(Shape):
    """What diagnostics of one code are about, most often."""

    subject: str
    message: str
    count: int
    places: list[PlaceShape]


class ProblemShape(Shape):
    """The diagnostics of one code."""

    code: str
    severity: str
    meaning: str
    count: int
    scripts: int
    total_causes: int
    causes: list[CauseShape]


class DiagnosticsAnswer(Shape):
    """What could not be understood, or only guessed."""

    snapshot: str
    coverage: str = Field(description="How much of what is written is explained, and what was lost.")
    failed: int = Field(description="Statements whose lineage is missing.")
    problems: list[ProblemShape] = Field(description="Errors first, then by how many there are.")


class ScriptAnswer(Shape):
    """A part of a script, without its secrets."""

    snapshot: str
    path: str
    dialect: str
    first_line: int
    total_lines: int
    text: str


class RelationShape(Shape):
    """One relation of a script that was analysed."""

    source: str
    target: str
    how: str
    expression: str
    statement: str
    line: int | None
    column: int | None


class SaidShape(Shape):
    """A diagnostic of a script that was analysed."""

    code: str
    severity: str
    message: str
    hint: str
    line: int | None
    column: int | None


class AnalyzeAnswer(Shape):
    """The lineage of a script."""

    dialect: str
    level: Literal["column", "table"]
    statements: int
    total_sources: int
    sources: list[str] = Field(description="Tables that it reads.")
    total_targets: int
    targets: list[str] = Field(description="Tables that it writes.")
    total: int
    relations: list[RelationShape]
    total_diagnostics: int
    diagnostics: list[SaidShape]
