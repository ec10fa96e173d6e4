"""Scripts of the store, as it keeps them: without their secrets. No file outside of the store is read."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from headwater.server.answers.scripts import script_answer, script_page
from headwater.server.ids import ScriptId
from headwater.server.parameters import Limit, Offset
from headwater.server.patterns import Pattern
from headwater.server.served import AskedGraph
from headwater.server.shapes.answers import ScriptAnswer, ScriptPage

router = APIRouter(tags=["scripts"])

LINES = 5000
"""Lines that are given at most."""


@router.get("/scripts")
def scripts(graph: AskedGraph, like: Pattern = None, limit: Limit = 100, offset: Offset = 0) -> ScriptPage:
    """Scripts, by path."""
    return script_page(*graph.scripts.page(like, limit, offset))


@router.get("/scripts/{id}")
def script(
    graph: AskedGraph,
    id: Annotated[ScriptId, Path(description="The id of a script.")],
    line: Annotated[int, Query(ge=1, le=100_000_000, description="A line that must be in the part that is given.")] = 1,
) -> ScriptAnswer:
    """A script's text; of one with many thousand lines, those around a line."""
    return script_answer(graph.scripts.text(int(id), line, LINES))
