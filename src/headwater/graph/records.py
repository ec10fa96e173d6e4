"""What a graph shows: tables, columns, hops between columns, made from the arrays' numbers only when somebody looks.

A record's `str` is how it is shown. Its identity is its id, which is the same in every build.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from headwater.graph.files import INFERRED, ROW_SET, Arrays
from headwater.model.entity import EntityKind
from headwater.model.kind import FDR, Kind

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
        return not self.temporary and self.kind not in (EntityKind.RESULT_SET, EntityKind.ORPHAN)

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
        self._processes: dict[int, tuple[Process, str]] = {}

    def table(self, number: int) -> Table:
        """The entity of that number."""
        found = self._tables.get(number)
        if found is None:
            id, kind, name, temporary = (
                self._fields[field][number].as_py() for field in ("entity_id", "kind", "name", "temporary")
            )
            found = self._tables[number] = Table(id, kind, name or "", bool(temporary), number)
        return found

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
        arrays = self._arrays
        meaning = arrays.meanings[int(arrays.relation_kind[relation])]
        details = arrays.details.row(relation)
        process, text = self._process(int(arrays.relation_process[relation]))
        return Hop(
            source=self.column(int(arrays.relation_source[relation])),
            target=self.column(int(arrays.relation_target[relation])),
            kind=meaning.kind,
            star=meaning.star,
            expression=details["expression"] or "",
            process=process,
            place=_place_in(process, text, details["start"]),
        )

    def belonging(self, row_set: int, column: int) -> Hop:
        """The hop from a row set to a column of its own entity."""
        return Hop(self.column(row_set), self.column(column), _BELONGS, False, "", None, None)

    def process(self, row: int) -> Process | None:
        """The process of that row, if there is one."""
        return self._process(row)[0]

    def _process(self, row: int) -> tuple[Process | None, str]:
        if row < 0:
            return None, ""
        found = self._processes.get(row)
        if found is None:
            if len(self._processes) >= _KEPT:
                self._processes.clear()
            found = self._processes[row] = _process_of(self._arrays.processes.row(row))
        return found


def _process_of(row: dict[str, Any]) -> tuple[Process, str]:
    place = None if row["path"] is None else Place(row["path"], row["line"] or 1, row["column"] or 1)
    hash = row["query_hash"] or ""
    return Process(row["process_id"], row["type"] or "", row["procedure"] or "", hash, place), row["text"] or ""


def _place_in(process: Process | None, text: str, start: int | None) -> Place | None:
    """The place of an expression: that of its process, moved on by the text before it."""
    if process is None or process.place is None or start is None:
        return None if process is None else process.place
    before = text[:start]
    lines = before.count("\n")
    first = process.place.column if not lines else 1
    return Place(process.place.path, process.place.line + lines, first + len(before) - (before.rfind("\n") + 1))
