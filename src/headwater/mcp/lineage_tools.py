"""Tools that ask a store's graph: names, descriptions, what lies upstream and downstream, ways between columns."""

from __future__ import annotations

from headwater.graph import Graph, Trace
from headwater.graph.open_store import OpenStore
from headwater.mcp.documents import column_shape, hop_shape, reached_shape, table_hop_shape, table_shape
from headwater.mcp.parameters import ColumnName, ColumnOrTable, Depth, Flow, Level, Limit, Offset, Pattern, TableName
from headwater.mcp.shapes import (
    ColumnDescription,
    PathAnswer,
    SearchAnswer,
    TableDescription,
    TableShape,
    TraceAnswer,
    WayShape,
)


class LineageTools:
    """Questions about the lineage in a store."""

    def __init__(self, store: OpenStore) -> None:
        self._store = store

    def search(self, pattern: Pattern, limit: Limit = 20) -> SearchAnswer:
        """Find tables and columns by a part of their names.

        Use it first whenever you do not know a name in full; the other tools take the names it gives.
        """
        graph = self._store.graph()
        found = graph.search(pattern, limit)
        return SearchAnswer(
            snapshot=graph.snapshot.name,
            total=found.total,
            tables=[table_shape(table) for table in found.tables],
            columns=[column_shape(column) for column in found.columns],
        )

    def describe_table(self, table: TableName, limit: Limit = 100, offset: Offset = 0) -> TableDescription:
        """Tell what a table, view, metric or the like is: its kind, its columns with their types, the tables next to it.

        Use it for "what is in this table?" and "what is it made of, who reads it?"; limit and offset are of its columns.
        """
        graph = self._store.graph()
        found = graph.table(table)
        columns = graph.columns(found)
        made_of = _next_tables(graph.upstream(found, depth=1, level="table", flow="impact"))
        used_by = _next_tables(graph.downstream(found, depth=1, level="table", flow="impact"))
        return TableDescription(
            snapshot=graph.snapshot.name,
            table=table_shape(found),
            total_columns=len(columns),
            columns=[column_shape(column) for column in columns[offset : offset + limit]],
            total_made_of=len(made_of),
            made_of=made_of[:limit],
            total_used_by=len(used_by),
            used_by=used_by[:limit],
        )

    def describe_column(self, column: ColumnName, limit: Limit = 20) -> ColumnDescription:
        """Tell how one column is made, with the SQL expression and where it stands, and what is made of it directly.

        Use it for "how is this computed?"; for more than one step use upstream or downstream.
        """
        graph = self._store.graph()
        found = graph.column(column)
        made = graph.upstream(found, depth=1, flow="impact")
        used = graph.downstream(found, depth=1, flow="impact")
        return ColumnDescription(
            snapshot=graph.snapshot.name,
            column=column_shape(found),
            total_made_by=made.hop_count,
            made_by=[hop_shape(hop) for hop in made.some_hops(limit)],
            total_used_by=used.hop_count,
            used_by=[hop_shape(hop) for hop in used.some_hops(limit)],
        )

    def upstream(
        self,
        of: ColumnOrTable,
        depth: Depth = None,
        flow: Flow = "data",
        level: Level = "column",
        limit: Limit = 50,
        offset: Offset = 0,
    ) -> TraceAnswer:
        """Tell what a column or table is made of, back to its sources: columns by distance, and the steps with their SQL expressions.

        Use it for "where does this come from?", to debug a wrong number, or to find sources. flow=impact adds what decides which
        rows are there. limit and offset page both lists.
        """
        graph = self._store.graph()
        return _traced(graph, graph.upstream(of, depth, level, flow), of, limit, offset)

    def downstream(
        self,
        of: ColumnOrTable,
        depth: Depth = None,
        flow: Flow = "data",
        level: Level = "column",
        limit: Limit = 50,
        offset: Offset = 0,
    ) -> TraceAnswer:
        """Tell what is made of a column or table, on to where it ends: reports, metrics, dashboards.

        Use it for "who uses this?". For "what breaks if I change it?" use impact, which judges each use. limit and offset page both
        lists.
        """
        graph = self._store.graph()
        return _traced(graph, graph.downstream(of, depth, level, flow), of, limit, offset)

    def path(self, source: ColumnName, target: ColumnName, flow: Flow = "data", limit: Limit = 5) -> PathAnswer:
        """Tell how one column reaches another, step by step, the shortest way first.

        Use it for "does this column end up there, and how?". No way with flow=data may be one with flow=impact.
        """
        graph = self._store.graph()
        found = graph.paths(source, target, limit, flow)
        ways = [
            WayShape(
                columns=[str(column) for column in way.columns],
                hops=[hop_shape(hop) for step in way.steps for hop in step[:limit]],
            )
            for way in found.first
        ]
        return PathAnswer(
            snapshot=graph.snapshot.name,
            source=str(found.source),
            target=str(found.target),
            columns=len(found.columns),
            complete=found.complete,
            ways=ways,
        )


def _next_tables(trace: Trace) -> list[TableShape]:
    return [table_shape(each.what) for each in trace.tables()]


def _traced(graph: Graph, trace: Trace, of: str, limit: int, offset: int) -> TraceAnswer:
    start = trace.start
    about = {
        "snapshot": graph.snapshot.name,
        "start": of if not start else str(start[0]) if len(start) == 1 else str(start[0].table),
        "direction": trace.direction.value,
        "flow": "impact" if trace.flow.influence else "data",
        "level": trace.level,
        "depth": trace.depth,
    }
    page = slice(offset, offset + limit)
    if trace.level == "table":
        tables, between = trace.tables(), trace.table_hops()
        found = {
            "total": len(tables),
            "items": [reached_shape(each) for each in tables[page]],
            "total_hops": len(between),
            "hops": [table_hop_shape(hop) for hop in between[page]],
        }
    else:
        found = {
            "total": trace.column_count,
            "items": [reached_shape(each) for each in trace.columns(limit, offset)],
            "total_hops": trace.hop_count,
            "hops": [hop_shape(hop) for hop in trace.some_hops(limit, offset)],
        }
    return TraceAnswer.model_validate({**about, **found})
