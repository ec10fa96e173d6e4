"""Parameters that many tools have in common, with what an assistant has to know about them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

ColumnName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=20_000,
        description="A column: `schema.table.column`, or as much of its end as is clear, or `id:` and an id.",
    ),
]
TableName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=20_000,
        description="A table, view, metric, …: `schema.table`, or as much of its end as is clear, or `id:` and an id.",
    ),
]
ColumnOrTable = Annotated[
    str,
    Field(
        min_length=1,
        max_length=20_000,
        description="A column (`schema.table.column`) or a table, which means all of its columns; or `id:` and an id.",
    ),
]
Pattern = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1000,
        description="A part of a name, or a pattern with `*`, `?`, `[…]`; case does not matter.",
    ),
]
Limit = Annotated[int, Field(ge=1, le=500, description="How many of each are given at most; totals are always told.")]
Offset = Annotated[int, Field(ge=0, le=10_000_000, description="How many are passed over, for the next page.")]
Depth = Annotated[int | None, Field(ge=1, le=1000, description="How many hops far; all if not given.")]
Flow = Annotated[
    Literal["data", "impact"],
    Field(description="`data`: values only. `impact`: also what decides over rows: filters, joins, grouping, sorting."),
]
Level = Annotated[Literal["column", "table"], Field(description="Columns, or the tables of these.")]
Change = Annotated[Literal["drop", "rename", "retype"], Field(description="What happens to the column.")]
SnapshotName = Annotated[
    str | None,
    Field(max_length=100, description="A snapshot's name or time (`2026-11-15`); the current one if not given."),
]
