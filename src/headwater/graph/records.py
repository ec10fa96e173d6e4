"""What a graph shows: tables, columns, hops between columns, made from the arrays' numbers only when somebody looks.

A record's `str` is how it is shown. Its identity is its id, which is the same in every build.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from headwater.graph.files import INFERRED, ROW_SET, Arrays, Ints
from headwater.graph.lasting import PASSING
from headwater.graph.process_lines import lines_of
from headwater.model.kind import FDR, Kind
from headwater.model.span import LineIndex, Position

_BELONGS = Kind(FDR, None, "rows")
"""How a row set influences the columns of its own entity."""
_KEPT = 512
"""Processes whose text is remembered."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, view, path, stage, or the result of a query that writes nothing."""

    id: int
    kind: str = field(compare=False)
    name: str = field(compare=False)
    temporary: bool = field(compare=False)
    number: int = field(compare=False, repr=False)

    @property
    def persistent(self) -> bool:
        """Whether others can read it later."""
        return not self.temporary and self.kind not in PASSING

    def __str__(self) -> str:
        return self.name or "(result)"


@dataclass(frozen=True, slots=True)
class Column:
    """A column, or the row set of its table."""

    id: int
    table: Table = field(compare=False)
    name: str = field(compare=False)
    data_type: str | None = field(compare=False)
    inferred: bool = field(compare=False)
    row_set: bool = field(compare=False)
    node: int = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.table}.{self.name}"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a script: line and column from 1."""

    path: str
    line: int
    column: int
    script: int = field(default=0, compare=False)
    """The id of the script; 0 where nobody asked for it."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Process:
    """The statement that makes a relation."""

    id: int
    type: str = field(compare=False)
    procedure: str = field(compare=False)
    query_hash: str = field(compare=False)
    place: Place | None = field(compare=False)
    end: Position | None = field(default=None, compare=False)
    """Where the character behind it stands."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A relation between two columns; or, without a process, that a row set influences a column of its own entity."""

    source: Column
    target: Column
    kind: Kind
    star: bool
    """Whether the source was reached through `*`, by nobody's words."""
    expression: str
    process: Process | None
    place: Place | None
    end: Position | None = field(default=None, compare=False)
    """Where the character behind the expression stands; none if only its statement is known."""
    id: int = field(default=0, compare=False)
    """The store's id of the relation; 0 between a row set and its columns."""

    @property
    def how(self) -> str:
        """How the source reaches the target, in a few words."""
        return self.kind.words


class Records:
    """Makes records of numbers."""

    def __init__(self, arrays: Arrays) -> None:
        self._arrays = arrays
        self._fields = {name: arrays.entities.column(i) for i, name in enumerate(arrays.entities.schema.names)}
        self._tables: dict[int, Table] = {}
        self._processes: dict[int, tuple[Process, LineIndex]] = {}

    def table(self, number: int) -> Table:
        """The entity of that number."""
        found = self._tables.get(number)
        if found is None:
            id, kind, name, temporary = (
                self._fields[field][number].as_py() for field in ("entity_id", "kind", "name", "temporary")
            )
            found = self._tables[number] = Table(id, kind, name or "", bool(temporary), number)
        return found

    def own_name(self, table: Table) -> str:
        """The name of an entity without its schema."""
        parts = self._fields["parts"][table.number].as_py()
        return parts[-1] if parts else table.name

    def column(self, node: int) -> Column:
        """The column that is that node."""
        arrays = self._arrays
        flags, type = int(arrays.node_flags[node]), int(arrays.node_type[node])
        return Column(
            id=int(arrays.node_id[node]),
            table=self.table(int(arrays.node_entity[node])),
            name=arrays.names[int(arrays.node_name[node])].as_py(),
            data_type=None if type < 0 else arrays.types[type].as_py(),
            inferred=bool(flags & INFERRED),
            row_set=bool(flags & ROW_SET),
            node=node,
        )

    def hop(self, relation: int) -> Hop:
        """The relation of that number."""
        return self.hops(np.array([relation]))[0]

    def hops(self, relations: Ints) -> list[Hop]:
        """The relations of those numbers; their texts are read together."""
        arrays = self._arrays
        sources, targets = arrays.relation_source[relations].tolist(), arrays.relation_target[relations].tolist()
        columns = {node: self.column(node) for node in {*sources, *targets}}
        made = zip(
            map(columns.__getitem__, sources),
            map(columns.__getitem__, targets),
            map(arrays.meanings.__getitem__, arrays.relation_kind[relations].tolist()),
            map(self._process, arrays.relation_process[relations].tolist()),
            arrays.details.rows(relations),
            arrays.relation_id[relations].tolist(),
            strict=True,
        )
        found = []
        for source, target, meaning, (process, lines), (expression, start, end), id in made:
            place, behind = _stretch(process, lines, start, end)
            told = (meaning.kind, meaning.star, expression or "", process, place, behind, id)
            found.append(Hop(source, target, *told))
        return found

    def belonging(self, row_set: int, column: int) -> Hop:
        """The hop from a row set to a column of its own entity."""
        return Hop(self.column(row_set), self.column(column), _BELONGS, False, "", None, None)

    def columns(self, nodes: Iterable[int]) -> list[Column]:
        """The columns that are those nodes."""
        return [self.column(node) for node in nodes]

    def process(self, row: int) -> Process | None:
        """The process of that row, if there is one."""
        return self._process(row)[0]

    def process_of(self, id: int) -> Process | None:
        """The process of that id, if there is one."""
        row = self.process_row(id)
        return None if row is None else self.process(row)

    def process_text(self, id: int) -> str:
        """The text of the process of that id, without its secrets; empty if there is none."""
        row = self.process_row(id)
        return "" if row is None else self._arrays.processes.row(row)["text"] or ""

    def process_row(self, id: int) -> int | None:
        """The row of the process of that id, if there is one."""
        ids, order = self._process_ids
        at = int(np.searchsorted(ids, id, sorter=order))
        return int(order[at]) if at < len(ids) and ids[order[at]] == id else None

    @cached_property
    def _process_ids(self) -> tuple[Ints, Ints]:
        """The ids of all processes, and their order."""
        ids: Ints = self._arrays.processes.column("process_id").to_numpy()
        return ids, np.argsort(ids, kind="stable")

    def _process(self, row: int) -> tuple[Process | None, LineIndex]:
        if row < 0:
            return None, _NOTHING
        found = self._processes.get(row)
        if found is None:
            if len(self._processes) >= _KEPT:
                self._processes.clear()
            found = self._processes[row] = _process_of(self._arrays.processes.row(row))
        return found


_NOTHING = LineIndex("")


def _process_of(row: dict[str, Any]) -> tuple[Process, LineIndex]:
    lines, size = lines_of(row)
    place, end = None, None
    if row["path"] is not None:
        place = Place(row["path"], row["line"] or 1, row["column"] or 1, row["script_id"] or 0)
        end = lines.position(size).moved(Position(place.line, place.column))
    named = (row["process_id"], row["type"] or "", row["procedure"] or "", row["query_hash"] or "")
    return Process(*named, place, end), lines


def _stretch(
    process: Process | None, lines: LineIndex, start: int | None, end: int | None
) -> tuple[Place | None, Position | None]:
    """The place of an expression, and where it ends: that of its process, moved on by the text before it."""
    if process is None or process.place is None:
        return None, None
    own = process.place
    if start is None:
        return own, None
    at = Position(own.line, own.column)
    first = lines.position(start).moved(at)
    return Place(own.path, *first, own.script), None if end is None else lines.position(end).moved(at)
