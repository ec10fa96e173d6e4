"""Answers about a store."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from headwater.server.shapes.analysis import Said
from headwater.server.shapes.diagram import Position, Shape
from headwater.server.shapes.things import (
    ColumnThing,
    Direction,
    Flow,
    HopThing,
    Spot,
    StatementThing,
    TableThing,
    TagThing,
)


class FormatThing(Shape):
    """A format in which lineage can be exported."""

    name: str
    summary: str
    levels: list[str]
    binary: bool


class SnapshotThing(Shape):
    """A snapshot of the store."""

    name: str
    time: str
    current: bool


class StoreThing(Shape):
    """What the server serves."""

    name: str
    snapshot: str
    time: str
    snapshots: list[SnapshotThing]
    scripts: int
    tables: int
    columns: int
    relations: int
    kinds: dict[str, int] = Field(description="How many entities there are of each kind.")


class About(Shape):
    """What this server is, and what it can do."""

    version: str
    dialects: list[str]
    formats: list[FormatThing]
    store: StoreThing | None = Field(description="None where only the playground is served.")


class Match(Shape):
    """Something that a search found."""

    what: Literal["table", "column"]
    id: str
    name: str
    kind: str = Field(description="The kind of the table.")
    table: str
    column: str | None
    data_type: str | None


class Matches(Shape):
    """What a search found, best first."""

    total: int = Field(description="How many there are altogether.")
    exact: bool = Field(True, description="Whether `total` is exact, or at least that many.")
    items: list[Match]


class TableRow(Shape):
    """A table in a list."""

    table: TableThing
    columns: int
    upstream: int = Field(description="Tables that it is made of directly.")
    downstream: int = Field(description="Tables that are made of it directly.")


class TablePage(Shape):
    """Tables, by name."""

    total: int
    items: list[TableRow]


class ColumnRow(Shape):
    """A column of a table's page."""

    column: ColumnThing
    upstream: int = Field(description="Columns that it is made of directly.")
    downstream: int
    tags: list[str]


class TableAnswer(Shape):
    """A table's page."""

    table: TableThing
    spelling: str
    complete: bool = Field(description="Whether its columns are all known.")
    columns: list[ColumnRow] = Field(description="The first of its columns, in order.")
    total_columns: int
    statements: list[StatementThing] = Field(description="What writes it.")
    read_by: list[StatementThing] = Field(description="The first statements that read it.")
    upstream: list[TableThing] = Field(description="The first tables that it is made of, by data flow.")
    downstream: list[TableThing] = Field(description="The first tables that are made of it.")
    total_upstream: int = 0
    total_downstream: int = 0
    tags: list[TagThing] = Field(description="Those of its columns in this answer, each once.")


class ColumnAnswer(Shape):
    """A column's page."""

    column: ColumnThing
    made_by: list[HopThing] = Field(description="The relations into it.")
    used_by: list[HopThing] = Field(description="The first relations out of it.")
    total_made_by: int
    total_used_by: int
    tags: list[TagThing]


class ReachedThing(Shape):
    """Something upstream or downstream, and how many hops away."""

    name: str
    column: ColumnThing | None
    table: TableThing
    distance: int


class TraceAnswer(Shape):
    """What lies upstream or downstream, nearest first."""

    start: str
    direction: Direction
    flow: Flow
    level: Literal["column", "table"]
    depth: int | None
    total: int
    items: list[ReachedThing]


class PathThing(Shape):
    """One way from a column to another."""

    hops: list[HopThing]


class PathAnswer(Shape):
    """The ways between two columns, shortest first."""

    source: ColumnThing
    target: ColumnThing
    paths: list[PathThing]
    complete: bool = Field(description="Whether these are all.")
    columns: int = Field(description="How many columns lie on any way.")


class HitThing(Shape):
    """A column that a change hits."""

    column: ColumnThing
    verdict: str
    severity: str
    reason: str
    distance: int
    hop: HopThing


class TableHit(Shape):
    """A table that a change hits, by its worst column."""

    table: TableThing
    verdict: str


class LostStatementThing(Shape):
    """A statement, or a whole script, that was not understood."""

    code: str
    message: str
    spot: Spot | None
    whole_script: bool


class ImpactAnswer(Shape):
    """What a change of a column does."""

    column: ColumnThing
    change: Literal["drop", "rename", "retype"]
    breaking: bool
    safe: bool = Field(description="Whether nothing breaks, and every statement that names the table was understood.")
    not_understood_total: int
    not_understood: list[LostStatementThing] = Field(
        description="The first statements that name the table and were not understood: they may use the column."
    )
    verdicts: dict[str, int] = Field(description="How many columns there are of each verdict.")
    tables: list[TableHit]
    total: int
    hits: list[HitThing]


class DifferenceThing(Shape):
    """One thing that changed between two snapshots."""

    what: Literal["table", "column", "relation"]
    how: Literal["added", "removed", "changed"]
    name: str
    breaking: bool
    reason: str
    before: str
    after: str
    place: str


class DiffAnswer(Shape):
    """What changed between two snapshots."""

    before: str
    after: str
    breaking: bool
    counts: dict[str, int] = Field(description="`table added`, `relation removed`, …: how many.")
    total: int
    items: list[DifferenceThing]


class StoredDiagnostic(Said):
    """A diagnostic of a store."""

    spot: Spot | None
    statement: str | None


class DiagnosticPage(Shape):
    """Diagnostics, and how many there are of each code and severity under the same filters."""

    total: int
    codes: dict[str, int]
    severities: dict[str, int]
    items: list[StoredDiagnostic]


class Slice(Shape):
    """A number with a name, for a plot."""

    name: str
    count: int


class SchemaCoverage(Shape):
    """How much of a schema is understood."""

    schema_name: str
    tables: int
    columns: int
    explained: int


class CoverageAnswer(Shape):
    """How much of the store is understood."""

    headline: str = Field(description="The figure in words, as `headwater build` and the report show it.")
    statements: int
    understood: int = Field(description="Statements that were not lost.")
    scripts: int
    lost_scripts: int = Field(description="Scripts that could not be read, and models whose SQL is unknown.")
    columns: int = Field(description="Columns that statements write.")
    explained: int = Field(description="Those that come from known columns, or hold constants.")
    by_schema: list[SchemaCoverage]
    statement_types: list[Slice]
    codes: list[Slice]
    hubs: list[TableRow] = Field(description="The tables that most others are made of.")
    longest_chain: int


class TagRow(Shape):
    """A column that carries a tag."""

    tag: str
    column: ColumnThing
    own: bool
    distance: int
    origin: ColumnThing


class TagPage(Shape):
    """Columns that carry tags."""

    total: int
    counts: dict[str, int] = Field(description="How many columns carry each tag.")
    items: list[TagRow]


class TagPathAnswer(Shape):
    """The way that proves why a column carries a tag."""

    tag: str
    column: ColumnThing
    path: list[HopThing]


class ScriptRow(Shape):
    """A script in a list."""

    id: str
    path: str
    kind: str
    dialect: str
    statements: int


class ScriptPage(Shape):
    """Scripts, by path."""

    total: int
    items: list[ScriptRow]


class ScriptStatement(Shape):
    """A statement of a script."""

    statement: str
    type: str
    start: Position
    end: Position


class ScriptAnswer(Shape):
    """A script's text, without its secrets."""

    script: ScriptRow
    text: str
    first_line: int = Field(description="The number of the text's first line: of a huge script, a part is given.")
    total_lines: int
    statements: list[ScriptStatement]


class ColumnMapRequest(Shape):
    """Columns or tables whose sources, or users, are wanted in one go."""

    of: list[str] = Field(min_length=1, max_length=1000)
    direction: Direction = "upstream"
    flow: Flow = "data"
    ends: bool = Field(False, description="Only where the ways end, over all hops; else the next columns.")


class ColumnMapEntry(Shape):
    """A column, and those that it is made of or that are made of it."""

    column: ColumnThing
    others: list[ColumnThing]


class ColumnMapAnswer(Shape):
    """A column map; names that mean nothing are listed, not dropped."""

    entries: list[ColumnMapEntry]
    unknown: dict[str, str] = Field(description="Names that mean no column or table, and what was perhaps meant.")
    cut: bool = Field(False, description="Whether there was more than one answer holds: ask for less at once.")


class UnusedRow(Shape):
    """A column that nobody reads."""

    column: ColumnThing
    use: str
    not_understood: int = Field(description="Statements that name its table and were not understood: they may read it.")


class UnusedPage(Shape):
    """Columns and tables that nobody reads."""

    total: int
    items: list[UnusedRow]
    tables: list[TableThing]
