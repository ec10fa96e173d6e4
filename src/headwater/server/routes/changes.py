"""What a change does, and what has changed: impact, and the difference between snapshots; and what nobody reads."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from headwater.graph.diff import Difference
from headwater.graph.impact_rules import Verdict
from headwater.server.answers.changes import diff_answer, impact_answer, unused_page
from headwater.server.parameters import Limit, Name, Offset
from headwater.server.patterns import Pattern
from headwater.server.served import AskedGraph, AskedStore
from headwater.server.shapes.answers import DiffAnswer, ImpactAnswer, UnusedPage

router = APIRouter(tags=["changes"])

SnapshotName = Annotated[str, Query(min_length=1, max_length=100, description="A snapshot's name or time.")]


@router.get("/impact")
def impact(
    graph: AskedGraph,
    of: Name,
    change: Literal["drop", "rename", "retype"] = "drop",
    verdict: Annotated[Verdict | None, Query(description="Only hits with this verdict.")] = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> ImpactAnswer:
    """What breaks, may break or stays whole if a column is dropped, renamed or gets another type."""
    return impact_answer(graph.impact(of, change), verdict, limit, offset)


@router.get("/diff")
def diff(
    store: AskedStore,
    before: SnapshotName,
    after: SnapshotName,
    what: Annotated[Literal["table", "column", "relation"] | None, Query(description="Only these.")] = None,
    how: Annotated[Literal["added", "removed", "changed"] | None, Query(description="Only these.")] = None,
    breaking: Annotated[bool | None, Query(description="Only those that break something, or that do not.")] = None,
    like: Pattern = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> DiffAnswer:
    """What changed between two snapshots."""
    graphs = store.graph(before), store.graph(after)
    asked = (("what", what), ("how", how), ("breaking", breaking))
    wanted = {name: value for name, value in asked if value is not None}

    def fits(found: Difference) -> bool:
        return all(getattr(found, name) == value for name, value in wanted.items())

    return diff_answer(graphs, fits, like, limit, offset)


@router.get("/unused")
def unused(graph: AskedGraph, like: Pattern = None, limit: Limit = 100, offset: Offset = 0) -> UnusedPage:
    """Columns and tables that nobody reads."""
    return unused_page(graph.unused_page(like, limit, offset))
