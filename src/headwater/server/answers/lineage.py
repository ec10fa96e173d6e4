"""What lies upstream and downstream, ways between columns, and column maps."""

from __future__ import annotations

from headwater.graph import Column, Graph, Table, Trace, UnknownName
from headwater.graph.paths import Path, Paths
from headwater.server.answers.things import column_thing, hop_thing, table_thing
from headwater.server.shapes.answers import (
    ColumnMapAnswer,
    ColumnMapEntry,
    ColumnMapRequest,
    PathAnswer,
    PathThing,
    ReachedThing,
    TraceAnswer,
)

_COLUMNS = 20_000
"""Columns that a column map has at most, on both sides together."""
_CLOSURES = 1000
"""Columns whose ways are followed to their ends for one."""


def trace_answer(start: Column | Table, trace: Trace, like: str | None, limit: int, offset: int) -> TraceAnswer:
    """A page of what lies upstream or downstream."""
    total, reached = trace.page(like, limit, offset)
    return TraceAnswer(
        start=str(start),
        direction=trace.direction.value,
        flow="impact" if trace.flow.influence else "data",
        level=trace.level,
        depth=trace.depth,
        total=total,
        items=[_reached(each.what, each.distance) for each in reached],
    )


def _reached(what: Column | Table, distance: int) -> ReachedThing:
    table = what if isinstance(what, Table) else what.table
    column = None if isinstance(what, Table) else column_thing(what)
    return ReachedThing(name=str(what), column=column, table=table_thing(table), distance=distance)


def path_answer(paths: Paths) -> PathAnswer:
    """The ways between two columns."""
    return PathAnswer(
        source=column_thing(paths.source),
        target=column_thing(paths.target),
        paths=[_path(path) for path in paths.first],
        complete=paths.complete,
        columns=paths.count,
    )


def _path(path: Path) -> PathThing:
    return PathThing(hops=[hop_thing(hop) for step in path.steps for hop in step])


def column_map(graph: Graph, request: ColumnMapRequest) -> ColumnMapAnswer:
    """What many columns are made of, or what is made of them."""
    entries: list[ColumnMapEntry] = []
    unknown: dict[str, str] = {}
    room = _COLUMNS
    for name in dict.fromkeys(request.of):
        try:
            meant = graph.meant(name)
        except UnknownName as error:
            unknown[name] = str(error)
            continue
        for column in [meant] if isinstance(meant, Column) else graph.columns(meant):
            if room <= 0 or (request.ends and len(entries) >= _CLOSURES):
                return ColumnMapAnswer(entries=entries, unknown=unknown, cut=True)
            others = _others(graph, column, request, room)
            entries.append(ColumnMapEntry(column=column_thing(column), others=list(map(column_thing, others))))
            room -= len(others) + 1
    return ColumnMapAnswer(entries=entries, unknown=unknown, cut=False)


def _others(graph: Graph, column: Column, request: ColumnMapRequest, most: int) -> list[Column]:
    upstream = request.direction == "upstream"
    if request.ends:
        found = graph.roots(column, request.flow) if upstream else graph.leaves(column, request.flow)
        return [each for each in found if each != column][:most]
    trace = (graph.upstream if upstream else graph.downstream)(column, depth=1, flow=request.flow)
    reached = trace.page(None, most, 0)[1]
    return [each.what for each in reached if isinstance(each.what, Column)]
