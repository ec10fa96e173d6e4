"""Edge list: a CSV with one row for each source of each relation, for spreadsheets, data frames and graph tools."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from headwater.export.cells import CellWriter
from headwater.export.feed import Feed
from headwater.export.format import Choices, Format, Output
from headwater.export.picture.lines import Line, Names, graph, named
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
_KEPT = 4096
"""Processes that are remembered."""


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """The lines of a feed as rows; an entity without lines has none."""
    without: set[int] = set()
    cells = CellWriter(output, safe=choices.safe_cells)
    cells.write(HEADER)
    cells.write_all(_rows(feed, without))
    output.leave_out("entities without relations, which have no row", len(without))


def _rows(feed: Feed, without: set[int]) -> Iterator[tuple[str, ...]]:
    """The rows; who was met in none stands in *without* behind the last."""
    names, process = Names(feed), lru_cache(_KEPT)(feed.process)
    for each in graph(feed, feed.scope.level):
        if isinstance(each, Entity):
            without.add(each.id)
        else:
            without -= {each.source.entity, each.target.entity}
            yield _row(each, names, process(each.process))


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
        str(line.source.id),
        str(line.target.id),
        VERSION,
    )


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _line_number(line: Line, process: Process) -> str:
    place = line.place or (process.places[0] if process.places else None)
    return str(place.start.line) if place else ""


FORMAT = Format("edges", "CSV edge list: one row for each source and target", write)
