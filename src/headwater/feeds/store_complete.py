"""The complete level of a store: the column level is what a store keeps, so what happens inside of statements is worked out again.

Scripts are taken one after the other, and of each its statements in order, in one session, over the tables that the store knows. A process
is told once, where it stands first. What is not SQL, or is not understood, is told as the column level has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc

from headwater.analysis import dialects_of, first_session, script_lineage
from headwater.captured import CAPTURED
from headwater.catalog import Catalog
from headwater.export.feed import Part, Scope
from headwater.export.records import Relation
from headwater.export.statement_records import StatementRecords
from headwater.feeds.store_numbers import StoreNumbers
from headwater.feeds.store_records import StoreRecords
from headwater.graph.files import Arrays, Ints
from headwater.model.kind import FDD
from headwater.model.span import Position
from headwater.resolve import Session
from headwater.store import Snapshot

OfProcess = Callable[[int], list[Relation]]
"""The relations of a process at the column level."""


class _Statement(NamedTuple):
    """A place of a process."""

    process: int
    at: Position


def complete_parts(
    snapshot: Snapshot, arrays: Arrays, records: StoreRecords, scope: Scope, of_process: OfProcess
) -> Iterator[Part]:
    """The relations of the complete level, process by process."""
    told = np.zeros(len(records.process_ids) + 1, bool)
    numbers = StoreNumbers(arrays, records)
    catalog = _catalog(arrays)
    sessions: dict[tuple[str, str], Session] = {}
    for script, dialect, default_schema, statements in _scripts(snapshot, records):
        if all(told[s.process] for s in statements):
            continue
        if dialect == CAPTURED:
            for statement in statements:
                yield Part((), tuple(of_process(statement.process)))
                told[statement.process] = True
            continue
        key = (dialect, default_schema)
        if key not in sessions:
            sessions[key] = first_session(catalog, default_schema or None, dialects_of(dialect), "static", "candidates")
        session = sessions[key]
        for statement in statements:
            process = records.process(statement.process)
            numbers.begin(statement.process, script)
            lineage, session = script_lineage(
                process.text, dialects_of(process.dialect or dialect), session, process.path
            )
            if told[statement.process]:
                continue
            told[statement.process] = True
            found = [StatementRecords(each, lineage, script, numbers, statement.at) for each in lineage.statements]
            inner = tuple(entity for each in found for entity in each.inner_entities(scope))
            relations = tuple(relation for each in found for relation in each.relations(scope))
            if not relations:
                relations = tuple(r for r in of_process(statement.process) if scope.impact or r.type == FDD)
            yield Part(inner, relations)


def _scripts(snapshot: Snapshot, records: StoreRecords) -> Iterator[tuple[int, str, str, list[_Statement]]]:
    """Number, dialect, default schema and statements of each script that has any, by number."""
    table = snapshot.table("statements", ["script_id", "ordinal", "line", "column", "process_id"])
    scripts = np.array([records.script_number(id) for id in table.column("script_id").to_pylist()], np.int64)
    order = np.lexsort((table.column("ordinal").to_numpy(), scripts))
    told = _about(snapshot, records)
    numbers: Ints = scripts[order]
    edges = [*np.flatnonzero(np.diff(numbers, prepend=-1)).tolist(), len(numbers)]
    lines, columns, processes = (table.column(name) for name in ("line", "column", "process_id"))
    for first, behind in pairwise(edges):
        rows = order[first:behind].tolist()
        statements = [
            _Statement(records.process_of(processes[row].as_py()), Position(lines[row].as_py(), columns[row].as_py()))
            for row in rows
        ]
        number = int(numbers[first])
        yield number, *told(number), statements


def _about(snapshot: Snapshot, records: StoreRecords) -> Callable[[int], tuple[str, str]]:
    """Dialect and default schema of a script, by its number."""
    table = snapshot.table("scripts", ["script_id", "dialect", "default_schema"])
    rows = pc.index_in(pc.cast(records.script_ids, "int64"), value_set=table.column("script_id")).to_pylist()
    dialects, schemas = (
        table.column(name).combine_chunks().dictionary_encode() for name in ("dialect", "default_schema")
    )
    return lambda number: (dialects[rows[number]].as_py() or "", schemas[rows[number]].as_py() or "")


def _catalog(arrays: Arrays) -> Catalog:
    """The tables of a store whose columns are all known."""
    names = arrays.entities.schema.names
    name, complete, temporary = (
        arrays.entities.column(names.index(each)) for each in ("name", "complete", "temporary")
    )
    lasting = pc.and_(pc.fill_null(complete, False), pc.invert(pc.fill_null(temporary, False)))
    rows = np.flatnonzero(lasting.to_numpy(zero_copy_only=False))
    return Catalog({name[row].as_py(): _Columns(arrays, int(row)) for row in rows.tolist()})


class _Columns(Mapping[str, str]):
    """The columns of a table and their types, read when somebody looks."""

    __slots__ = ("_arrays", "_entity")

    def __init__(self, arrays: Arrays, entity: int) -> None:
        self._arrays = arrays
        self._entity = entity

    def _nodes(self) -> Iterator[int]:
        first, behind = self._arrays.entity_start[self._entity : self._entity + 2].tolist()
        rows = int(self._arrays.entity_rows[self._entity])
        return (node for node in range(first, behind) if node != rows)

    def _name(self, node: int) -> str:
        name: str = self._arrays.names[int(self._arrays.node_name[node])].as_py()
        return name

    def __iter__(self) -> Iterator[str]:
        return map(self._name, self._nodes())

    def __len__(self) -> int:
        return sum(1 for _ in self._nodes())

    def __getitem__(self, name: str) -> Any:
        for node in self._nodes():
            if self._name(node) == name:
                type_ = int(self._arrays.node_type[node])
                return "" if type_ < 0 else self._arrays.types[type_].as_py()
        raise KeyError(name)
