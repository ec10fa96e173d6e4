"""Search, as somebody types."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from headwater.server.parameters import Limit, Offset
from headwater.server.served import AskedGraph
from headwater.server.shapes.answers import Matches

router = APIRouter(tags=["search"])


@router.get("/search")
def search(
    graph: AskedGraph,
    q: Annotated[str, Query(max_length=1000, description="A part of a name, or a pattern with `*`, `?`, `[…]`.")],
    kind: Annotated[list[str] | None, Query(max_length=20, description="Only entities of these kinds.")] = None,
    what: Annotated[str | None, Query(pattern="^(table|column)$", description="Only tables, or only columns.")] = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Matches:
    """Tables and columns with a name like that: whole names first, then beginnings, then parts."""
    raise NotImplementedError
