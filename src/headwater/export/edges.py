"""Edge list: a CSV with one row for each source of each relation, for spreadsheets, data frames and graph tools."""

from __future__ import annotations

import csv
import io
from functools import lru_cache

from headwater.export.feed import Feed
from headwater.export.format import Choices, Format, Output
from headwater.export.lines import Line, Names, graph, named
from headwater.export.records import Entity, Process

VERSION = "1"
HEADER = (
    "source",
    "target",
    "type",
    "subtype",
    "clause",
    "masking",
    "candidate",
    "effect",
    "process",
    "procedure",
    "query_hash",
    "file",
    "line",
    "expression",
    "source_table",
    "source_column",
    "target_table",
    "target_column",
    "source_id",
    "target_id",
    "edges_version",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_AT_ONCE = 1 << 16
"""Characters that are written at once."""
_KEPT = 4096
"""Processes that are remembered."""


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """The lines of a feed as rows; an entity without lines has none."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(HEADER)
    cell = _safe if choices.safe_cells else str
    names, process = Names(feed), lru_cache(_KEPT)(feed.process)
    without: set[int] = set()
    for each in graph(feed, feed.scope.level):
        if isinstance(each, Entity):
            without.add(each.id)
            continue
        without -= {each.source.entity, each.target.entity}
        writer.writerow(map(cell, _row(each, names, process(each.process))))
        if text.tell() > _AT_ONCE:
            output.write(text.getvalue())
            text.seek(0)
            text.truncate()
    output.write(text.getvalue())
    output.leave_out("entities without relations, which have no row", len(without))


def _row(line: Line, names: Names, process: Process) -> tuple[str, ...]:
    source, target = names.of(line.source), names.of(line.target)
    return (
        named(source),
        named(target),
        line.kind.type,
        line.kind.subtype or "",
        line.kind.clause,
        _truth(line.kind.masking),
        _truth(line.kind.candidate),
        line.effect,
        process.type,
        process.procedure,
        process.query_hash,
        process.path,
        _line_number(line, process),
        line.expression,
        *source,
        *target,
        str(line.source.column or line.source.entity),
        str(line.target.column or line.target.entity),
        VERSION,
    )


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _line_number(line: Line, process: Process) -> str:
    place = line.place or (process.places[0] if process.places else None)
    return str(place.start.line) if place else ""


def _safe(cell: str) -> str:
    return "'" + cell if cell.startswith(_FORMULA) else cell


FORMAT = Format("edges", "CSV edge list: one row for each source and target", write)
