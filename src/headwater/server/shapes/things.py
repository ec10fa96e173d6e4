"""Tables, columns, statements and their places, as answers about a store name them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from headwater.server.shapes.diagram import Shape

Flow = Literal["data", "impact"]
Direction = Literal["upstream", "downstream"]


class TableThing(Shape):
    """A table, view, path, metric, and whatever else has columns."""

    id: str
    name: str
    kind: str
    temporary: bool


class ColumnThing(Shape):
    """A column, with its table."""

    id: str
    name: str = Field(description="As it is shown: `db.t.c`.")
    column: str
    table: TableThing
    data_type: str | None
    inferred: bool
    row_set: bool


class Spot(Shape):
    """A place in a script of the store."""

    script: str = Field(description="The id of the script.")
    path: str
    line: int
    column: int


class StatementThing(Shape):
    """A statement that makes relations."""

    id: str
    type: str
    procedure: str
    query_hash: str
    spot: Spot | None


class HopThing(Shape):
    """A relation between two columns; or, without a statement, that a row set influences a column of its own table."""

    source: ColumnThing
    target: ColumnThing
    type: str
    subtype: str | None
    clause: str
    how: str = Field(description="How the source reaches the target, in a few words.")
    masking: bool
    candidate: bool
    star: bool
    expression: str
    statement: StatementThing | None
    spot: Spot | None


class TagThing(Shape):
    """A tag of a column."""

    tag: str
    own: bool = Field(description="Whether it was said of this very column; else it flows here.")
    origin: ColumnThing
    said: list[str] = Field(description="Who says so, and where.")
