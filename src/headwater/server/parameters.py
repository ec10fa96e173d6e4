"""Parameters that many questions have in common."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query

Name = Annotated[
    str, Query(min_length=1, max_length=20_000, description="A name as it is shown (`db.t.c`), or `id:` and an id.")
]
Limit = Annotated[int, Query(ge=1, le=1000, description="How many are given at most.")]
Offset = Annotated[int, Query(ge=0, le=10_000_000, description="How many are passed over.")]
Depth = Annotated[int | None, Query(ge=1, le=1000, description="How many hops far; else all of them.")]
FlowName = Annotated[Literal["data", "impact"], Query(description="Data flow only, or influence too.")]
TraceLevel = Annotated[Literal["column", "table"], Query(description="Columns, or tables.")]
Filter = Annotated[
    str | None, Query(max_length=1000, description="A part of a name, or a pattern with `*`, `?`, `[…]`.")
]
