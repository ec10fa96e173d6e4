"""Search, as somebody types."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import AfterValidator

from headwater.server.answers.tables import match_of
from headwater.server.parameters import Limit, Offset
from headwater.server.patterns import bounded, few_words
from headwater.server.served import AskedGraph
from headwater.server.shapes.answers import Matches

router = APIRouter(tags=["search"])


@router.get("/search")
def search(
    graph: AskedGraph,
    q: Annotated[
        str,
        Query(max_length=1000, description="Words of a name, or a pattern with `*`, `?`, `[…]`."),
        AfterValidator(bounded),
        AfterValidator(few_words),
    ],
    kind: Annotated[list[str] | None, Query(max_length=20, description="Only entities of these kinds.")] = None,
    what: Annotated[Literal["table", "column"] | None, Query(description="Only tables, or only columns.")] = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Matches:
    """Tables and columns with a name like that: whole names first, then beginnings, then parts."""
    found = graph.find(q, kind or (), what, limit, offset)
    return Matches(total=found.total, exact=found.exact, items=list(map(match_of, found.items)))
