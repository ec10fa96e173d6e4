"""A feed as a picture that people can look at: not larger than a limit, columns that take part only, one line for all of the same ends.

What is too large at its level is drawn at the table level, and that is said; what is too large there cannot be drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from headwater.export.feed import Feed, Level
from headwater.export.format import ExportError, Output
from headwater.export.picture.lines import Line, flow, outliving
from headwater.export.records import Entity

_ALIKE = 20
"""Relations of which one line tells."""


class Limits(NamedTuple):
    """How much a picture may hold."""

    entities: int
    columns: int
    lines: int

    def __str__(self) -> str:
        return f"{self.entities} tables, {self.columns} columns and {self.lines} lines"


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn, at the level at which it could be drawn."""

    level: Level
    entities: list[Entity]
    lines: list[list[Line]]
    """Those with the same ends and type together."""

    def drawn(self) -> Iterator[Entity | list[Line]]:
        """Cards, then lines."""
        yield from self.entities
        yield from self.lines


def drawing(feed: Feed, limits: Limits, output: Output) -> Drawing:
    """What a picture of the feed shows."""
    level = feed.scope.level
    found = _drawn(feed, level, limits, output)
    if found is None and level != "table":
        found = _drawn(feed, "table", limits, output)
        if found is not None:
            count = sum(isinstance(each, Line) for each in flow(feed, level))
            output.leave_out(f"relations of columns, which pass {limits}: tables are drawn instead", count)
    if found is None:
        raise ExportError(
            f"this is too large for a picture, which can hold {limits}: restrict it to the lineage of one column or table, "
            "in one direction or some hops far, or take a format without a limit (dot, graphml, edges)"
        )
    return found


def _drawn(feed: Feed, level: Level, limits: Limits, output: Output) -> Drawing | None:
    """The picture at a level, or nothing if it is too large."""
    lines: dict[tuple[int, int, int, int, str], list[Line]] = {}
    inner: list[Entity] = []
    columns: set[int] = set()
    owners: set[int] = set()
    for each in flow(feed, level):
        if isinstance(each, Entity):
            inner.append(each)
            continue
        ends = (each.source.entity, each.source.column, each.target.entity, each.target.column)
        alike = lines.setdefault((*ends, each.look), [])
        if len(alike) < _ALIKE:
            alike.append(each)
        columns.update(ends[1::2])
        owners.update(ends[::2])
        if len(lines) > limits.lines or len(columns) > limits.columns or len(owners) > limits.entities:
            return None
    entities = [*_outliving(feed, level, owners, limits, output), *inner]
    return Drawing(level, [_only(entity, columns) for entity in entities], list(lines.values()))


def _outliving(feed: Feed, level: Level, owners: set[int], limits: Limits, output: Output) -> Iterator[Entity]:
    """The entities that outlive their statements: those with lines, and of the others as many as there is room for."""
    room = limits.entities - len(owners)
    for entity in outliving(feed, level):
        if entity.id in owners:
            yield entity
        elif room > 0:
            room -= 1
            yield entity
        else:
            output.leave_out("tables without relations, for which the picture has no room")


def _only(entity: Entity, columns: set[int]) -> Entity:
    return entity._replace(columns=tuple(column for column in entity.columns if column.id in columns))
