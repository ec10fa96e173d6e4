"""A diagram: entities with their columns, and relations between these; of a script, or of a part of a store's graph."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Shape(BaseModel):
    """Something that goes over the wire and never changes."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Level = Literal["complete", "column", "table"]
RelationType = Literal["fdd", "fdr", "join"]


class Position(Shape):
    """A line and a column, both counted from 1; columns are counted in code points."""

    line: int
    column: int


class Place(Shape):
    """A stretch of a script: where it begins, and where the character behind it stands."""

    script: str = Field(description="The id of the script, as in `scripts`.")
    start: Position
    end: Position


class DiagramScript(Shape):
    """A script that places of the diagram stand in."""

    id: str
    path: str = Field(description="As it is shown; empty for text that somebody typed.")


class DiagramProcess(Shape):
    """A statement."""

    id: str
    type: str = Field(description="`Create View`, `Insert`, …")
    procedure: str = Field(description="The procedure it stands in; empty outside of procedures.")
    place: Place | None


class DiagramColumn(Shape):
    """A column of an entity, or its row set."""

    id: str
    name: str
    data_type: str | None
    inferred: bool = Field(description="Whether no schema vouches for it.")
    row_set: bool
    places: list[Place]
    tags: list[str] = []


class Beyond(Shape):
    """How much lies beyond what the diagram shows: tables next to this one that are not in it."""

    upstream: int = 0
    downstream: int = 0


class DiagramEntity(Shape):
    """A table, view, path, metric, …; or something inside of a statement: a result set, function, literal, variable."""

    id: str
    kind: str = Field(description="`table`, `view`, `path`, `stage`, `resultset`, `function`, `metric`, …")
    type: str = Field(description="A finer word: `select_list`, `insert-select`, `cte`, …; else the kind.")
    name: str
    alias: str | None = None
    temporary: bool
    places: list[Place]
    columns: list[DiagramColumn]
    hidden_columns: int = Field(0, description="How many of its columns the diagram leaves out.")
    beyond: Beyond | None = Field(None, description="In a part of a store's graph: what expanding it would add.")
    distance: int | None = Field(
        None, description="Hops from the focus, negative upstream; none where there is no focus."
    )


class DiagramRelation(Shape):
    """One source, one target, and how the one reaches the other; at the table level both ends are entities only."""

    id: str
    type: RelationType
    subtype: str | None
    clause: str
    effect: str = ""
    masking: bool = False
    candidate: bool = False
    star: bool = False
    source_entity: str
    source: str | None = Field(description="The column; none at the table level.")
    target_entity: str
    target: str | None = Field(description="The column; none at the table level.")
    process: str | None
    expression: str
    place: Place | None = Field(description="Where the expression stands that makes the target.")
    source_place: Place | None = Field(None, description="Where the source stands inside of it.")


class Diagram(Shape):
    """A diagram."""

    level: Level
    scripts: list[DiagramScript]
    processes: list[DiagramProcess]
    entities: list[DiagramEntity]
    relations: list[DiagramRelation]
    focus: str | None = Field(None, description="The id of the column or table that it is about.")
    note: str = Field("", description="What was left out, in words; empty if nothing was.")
