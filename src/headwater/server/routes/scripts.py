"""Scripts of the store, as it keeps them: without their secrets. No file outside of the store is read."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from headwater.server.parameters import Filter, Limit, Offset
from headwater.server.served import AskedGraph
from headwater.server.shapes.answers import ScriptAnswer, ScriptPage

router = APIRouter(tags=["scripts"])


@router.get("/scripts")
def scripts(graph: AskedGraph, like: Filter = None, limit: Limit = 100, offset: Offset = 0) -> ScriptPage:
    """Scripts, by path."""
    raise NotImplementedError


@router.get("/scripts/{id}")
def script(
    graph: AskedGraph,
    id: Annotated[str, Path(max_length=30)],
    line: Annotated[int, Query(ge=1, le=100_000_000, description="A line that must be in the part that is given.")] = 1,
) -> ScriptAnswer:
    """A script's text; of one with many thousand lines, those around a line."""
    raise NotImplementedError
