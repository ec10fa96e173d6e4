"""Tables and columns: lists, and the page of one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from headwater.server.answers.tables import column_answer, table_answer, table_page
from headwater.server.parameters import Limit, Name, Offset
from headwater.server.patterns import Pattern
from headwater.server.served import AskedGraph
from headwater.server.shapes.answers import ColumnAnswer, TableAnswer, TablePage

router = APIRouter(tags=["tables and columns"])


@router.get("/tables")
def tables(
    graph: AskedGraph,
    like: Pattern = None,
    kind: Annotated[list[str] | None, Query(max_length=20, description="Only entities of these kinds.")] = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> TablePage:
    """Tables, by name."""
    return table_page(graph, *graph.tables(like, kind or (), limit, offset))


@router.get("/table")
def table(graph: AskedGraph, of: Name, limit: Limit = 200, offset: Offset = 0) -> TableAnswer:
    """A table's page; `limit` and `offset` are of its columns."""
    return table_answer(graph, graph.table(of), limit, offset)


@router.get("/column")
def column(graph: AskedGraph, of: Name, limit: Limit = 100) -> ColumnAnswer:
    """A column's page."""
    return column_answer(graph, graph.column(of), limit)
