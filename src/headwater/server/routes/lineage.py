"""Lineage: the graph around something, what lies upstream and downstream, ways between two columns, column maps."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from headwater.server.parameters import Depth, Filter, FlowName, Limit, Name, Offset, TraceLevel
from headwater.server.served import AskedGraph
from headwater.server.shapes.answers import ColumnMapAnswer, ColumnMapRequest, PathAnswer, TraceAnswer
from headwater.server.shapes.diagram import Diagram

router = APIRouter(tags=["lineage"])

Hops = Annotated[int, Query(ge=0, le=50, description="How many hops far.")]


@router.get("/neighbourhood")
def neighbourhood(
    graph: AskedGraph,
    of: Name,
    upstream: Hops = 1,
    downstream: Hops = 1,
    flow: FlowName = "data",
    level: TraceLevel = "column",
    limit: Annotated[int, Query(ge=1, le=500, description="How many tables are given at most, nearest first.")] = 60,
    columns: Annotated[int, Query(ge=0, le=1000, description="How many columns of a table at most.")] = 40,
) -> Diagram:
    """The graph around a column or table; what lies beyond is counted, so that it can be expanded on demand."""
    raise NotImplementedError


@router.get("/upstream")
def upstream(
    graph: AskedGraph,
    of: Name,
    depth: Depth = None,
    flow: FlowName = "data",
    level: TraceLevel = "column",
    like: Filter = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> TraceAnswer:
    """What a column or table is made of, nearest first."""
    raise NotImplementedError


@router.get("/downstream")
def downstream(
    graph: AskedGraph,
    of: Name,
    depth: Depth = None,
    flow: FlowName = "data",
    level: TraceLevel = "column",
    like: Filter = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> TraceAnswer:
    """What is made of a column or table, nearest first."""
    raise NotImplementedError


@router.get("/path")
def path(graph: AskedGraph, source: Name, target: Name, flow: FlowName = "data", limit: Limit = 10) -> PathAnswer:
    """The ways from one column to another, shortest first."""
    raise NotImplementedError


@router.get("/path/diagram")
def path_diagram(graph: AskedGraph, source: Name, target: Name, flow: FlowName = "data", limit: Limit = 10) -> Diagram:
    """The same ways as a diagram."""
    raise NotImplementedError


@router.post("/column-map")
def column_map(graph: AskedGraph, request: ColumnMapRequest) -> ColumnMapAnswer:
    """What many columns are made of, or what is made of them, in one round trip."""
    raise NotImplementedError


@router.get("/export")
def export(
    graph: AskedGraph,
    of: Name,
    format: Annotated[str, Query(max_length=40, description="A format of `GET /about`.")] = "mermaid",
    direction: Literal["upstream", "downstream", "both"] = "both",
    depth: Depth = 1,
    flow: FlowName = "data",
    level: Literal["complete", "column", "table"] = "column",
) -> object:
    """The lineage of a column or table in a format, as a file."""
    raise NotImplementedError
