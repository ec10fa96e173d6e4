"""How well the store is understood: coverage, diagnostics; and which columns carry which tags."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from headwater.graph.diagnostics import Wanted
from headwater.server.answers import quality
from headwater.server.ids import ScriptId
from headwater.server.parameters import Limit, Name, Offset
from headwater.server.patterns import Pattern
from headwater.server.served import AskedGraph
from headwater.server.shapes.answers import CoverageAnswer, DiagnosticPage, TagPage, TagPathAnswer

router = APIRouter(tags=["quality"])


@router.get("/coverage")
def coverage(graph: AskedGraph) -> CoverageAnswer:
    """How much of the store is understood."""
    return quality.coverage(graph)


@router.get("/diagnostics")
def diagnostics(
    graph: AskedGraph,
    code: Annotated[list[str] | None, Query(max_length=100, description="Only these codes.")] = None,
    severity: Annotated[list[str] | None, Query(max_length=3, description="Only these severities.")] = None,
    script: Annotated[ScriptId | None, Query(description="Only those of a script, by its id.")] = None,
    like: Pattern = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> DiagnosticPage:
    """What could not be understood, or only guessed."""
    wanted = Wanted(code or (), severity or (), None if script is None else int(script), like)
    return quality.diagnostic_page(graph.diagnostics(wanted, limit, offset))


@router.get("/tags")
def tags(
    graph: AskedGraph,
    tag: Annotated[list[str] | None, Query(max_length=100, description="Only these tags.")] = None,
    own: Annotated[bool | None, Query(description="Only columns of which it was said, or those it flows into.")] = None,
    like: Pattern = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> TagPage:
    """Columns that carry tags: of their own, or because data flows into them."""
    return quality.tag_page(*graph.tags().page(like, tag or (), own, limit, offset))


@router.get("/tags/path")
def tag_path(graph: AskedGraph, of: Name, tag: Annotated[str, Query(max_length=20_000)]) -> TagPathAnswer:
    """The way that proves why a column carries a tag."""
    return quality.tag_path(graph, graph.column(of), tag)
