"""Lineage: the graph around something, what lies upstream and downstream, ways between two columns, column maps."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from headwater.server.answers import lineage
from headwater.server.answers.export import exported
from headwater.server.diagrams import of_graph
from headwater.server.parameters import Depth, FlowName, Limit, Name, Offset, TraceLevel
from headwater.server.patterns import Pattern
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
    found = graph.neighbourhood(of, upstream, downstream, flow, level, limit, columns)
    return of_graph.neighbourhood_diagram(graph, found)


@router.get("/upstream")
def upstream(
    graph: AskedGraph,
    of: Name,
    depth: Depth = None,
    flow: FlowName = "data",
    level: TraceLevel = "column",
    like: Pattern = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> TraceAnswer:
    """What a column or table is made of, nearest first."""
    start = graph.meant(of)
    return lineage.trace_answer(start, graph.upstream(start, depth, level, flow), like, limit, offset)


@router.get("/downstream")
def downstream(
    graph: AskedGraph,
    of: Name,
    depth: Depth = None,
    flow: FlowName = "data",
    level: TraceLevel = "column",
    like: Pattern = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> TraceAnswer:
    """What is made of a column or table, nearest first."""
    start = graph.meant(of)
    return lineage.trace_answer(start, graph.downstream(start, depth, level, flow), like, limit, offset)


@router.get("/path")
def path(graph: AskedGraph, source: Name, target: Name, flow: FlowName = "data", limit: Limit = 10) -> PathAnswer:
    """The ways from one column to another, shortest first."""
    return lineage.path_answer(graph.paths(source, target, limit, flow))


@router.get("/path/diagram")
def path_diagram(graph: AskedGraph, source: Name, target: Name, flow: FlowName = "data", limit: Limit = 10) -> Diagram:
    """The same ways as a diagram."""
    return of_graph.path_diagram(graph, graph.paths(source, target, limit, flow))


@router.post("/column-map")
def column_map(graph: AskedGraph, request: ColumnMapRequest) -> ColumnMapAnswer:
    """What many columns are made of, or what is made of them, in one round trip."""
    return lineage.column_map(graph, request)


@router.get("/export", response_class=Response, responses={200: {"content": {"application/octet-stream": {}}}})
def export(
    graph: AskedGraph,
    of: Name,
    format: Annotated[str, Query(max_length=40, description="A format of `GET /about`.")] = "mermaid",
    direction: Literal["upstream", "downstream", "both"] = "both",
    depth: Depth = 1,
    flow: FlowName = "data",
    level: Literal["complete", "column", "table"] = "column",
) -> Response:
    """The lineage of a column or table in a format, as a file."""
    return exported(graph, graph.meant(of), format, (direction, depth), level, impact=flow == "impact")
