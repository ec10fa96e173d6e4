"""What a change does, and what has changed: impact, and the difference between snapshots; and what nobody reads."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from headwater.server.parameters import Filter, Limit, Name, Offset
from headwater.server.served import AskedGraph, AskedStore
from headwater.server.shapes.answers import DiffAnswer, ImpactAnswer, UnusedPage

router = APIRouter(tags=["changes"])

SnapshotName = Annotated[str, Query(min_length=1, max_length=100, description="A snapshot's name or time.")]


@router.get("/impact")
def impact(
    graph: AskedGraph,
    of: Name,
    change: Literal["drop", "rename", "retype"] = "drop",
    verdict: Annotated[str | None, Query(max_length=40, description="Only hits with this verdict.")] = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> ImpactAnswer:
    """What breaks, may break or stays whole if a column is dropped, renamed or gets another type."""
    raise NotImplementedError


@router.get("/diff")
def diff(
    store: AskedStore,
    before: SnapshotName,
    after: SnapshotName,
    what: Annotated[Literal["table", "column", "relation"] | None, Query(description="Only these.")] = None,
    how: Annotated[Literal["added", "removed", "changed"] | None, Query(description="Only these.")] = None,
    breaking: Annotated[bool | None, Query(description="Only those that break something, or that do not.")] = None,
    like: Filter = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> DiffAnswer:
    """What changed between two snapshots."""
    raise NotImplementedError


@router.get("/unused")
def unused(graph: AskedGraph, like: Filter = None, limit: Limit = 100, offset: Offset = 0) -> UnusedPage:
    """Columns and tables that nobody reads."""
    raise NotImplementedError
