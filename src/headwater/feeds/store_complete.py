"""The complete level of a store: the column level is what a store keeps, so what happens inside of statements is worked out again.

Scripts are taken one after the other, and of each its statements in order, in one session, over the tables that the store knows; those of a
program together. A process is told once, where it stands first. What is not SQL, or is not understood, is told as the column level has it;
and so is a statement inside of a program whose text the store does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow.compute as pc

from headwater.analysis import dialects_of, first_session, script_lineage
from headwater.captured import CAPTURED
from headwater.catalog import Catalog
from headwater.export.feed import Part, Scope
from headwater.export.growing import grown
from headwater.export.records import Entity, Relation
from headwater.export.statement_records import StatementRecords
from headwater.feeds.store_numbers import StoreNumbers
from headwater.feeds.store_programs import Group, Placed, groups, may_hold_programs
from headwater.feeds.store_records import StoreRecords
from headwater.graph.files import Arrays, Ints
from headwater.lineage.lineage import StatementLineage
from headwater.lineage.open_star import OpenStars
from headwater.model.kind import FDD
from headwater.model.span import Position
from headwater.project.resolved import PROJECT
from headwater.resolve import Session
from headwater.sql.dialect import Dialect
from headwater.store import Snapshot

_SQL = ("sql", "stdin")
"""Kinds of scripts whose text is SQL from beginning to end."""

_NOT_SQL = (CAPTURED, PROJECT)
"""What stands in the place of a dialect where the text is not what somebody wrote as SQL."""

OfProcess = Callable[[int], list[Relation]]
"""The relations of a process at the column level."""


def complete_parts(
    snapshot: Snapshot, arrays: Arrays, records: StoreRecords, scope: Scope, of_process: OfProcess, first: int
) -> Iterator[Part]:
    """The relations of the complete level, program by program; numbers that nothing has yet begin with *first*."""
    told = bytearray(len(records.process_ids) + 1)
    numbers = StoreNumbers(arrays, records, first)
    catalog = _catalog(arrays)
    sessions: dict[tuple[str, str], Session] = {}
    texts = _texts(snapshot, records)
    for script, dialect, default_schema, statements in _scripts(snapshot, records):
        if all(told[s.process] for s in statements):
            continue
        if dialect in _NOT_SQL:
            for each in statements:
                yield Part((), tuple(of_process(each.process)))
                told[each.process] = True
            continue
        key = (dialect, default_schema)
        if key not in sessions:
            sessions[key] = first_session(catalog, default_schema or None, dialects_of(dialect), "static", "candidates")
        path = records.script(script).path
        for group in _groups(texts(script), path, dialects_of(dialect), sessions[key], statements, records):
            numbers.begin_program()
            said = _Said(scope, of_process)
            for process, statement in _untold(group, told):
                told[process] = True
                numbers.begin(process, script)
                made = None
                if statement is not None:
                    asked = _with_asked(statement, process, of_process)
                    made = StatementRecords(asked, group.lineage, script, numbers, group.at)
                said.add(process, made)
            yield said.part()


def _untold(group: Group, told: bytearray) -> list[tuple[int, StatementLineage | None]]:
    """The statements of a group that have something to tell: in a program that is new, also those that only hand on its variables."""
    if all(told[process] for process, _ in group.statements):
        return []
    return [each for each in group.statements if not told[each[0]] or (each[1] and each[1].resolution.has_variables)]


def _with_asked(statement: StatementLineage, process: int, of_process: OfProcess) -> StatementLineage:
    """A statement with the columns behind its open stars that others ask for: the column level has them."""
    stars = OpenStars(statement.resolution)
    if not stars.written:
        return statement
    targets = [relation.target for relation in of_process(process)]
    for entity in stars.written:
        table = statement.resolution.entities[entity].table
        for name in dict.fromkeys(end.column_name for end in targets if end.parts == table and not end.row_set):
            stars.ask(entity, name)
    return replace(statement, resolution=stars.resolution())


class _Said:
    """What the statements of a program say, put together: they name the same variables."""

    def __init__(self, scope: Scope, of_process: OfProcess) -> None:
        self._scope = scope
        self._of_process = of_process
        self._inner: dict[int, Entity] = {}
        self._variables: list[Entity] = []
        self._relations: dict[object, Relation] = {}

    def add(self, process: int, statement: StatementRecords | None) -> None:
        """Add what a statement of a process says; where it is not understood, what the column level says of the process."""
        relations: list[Relation] = []
        if statement is not None:
            self._inner.update((entity.id, entity) for entity in statement.inner_entities(self._scope))
            self._variables += statement.variables(self._scope)
            relations = statement.relations(self._scope)
        if not relations:
            relations = [r for r in self._of_process(process) if self._scope.impact or r.type == FDD]
        for relation in relations:
            self._relations.setdefault(relation.identity, relation)

    def part(self) -> Part:
        """All of it."""
        return Part((*self._inner.values(), *grown(self._variables).values()), tuple(self._relations.values()))


def _groups(
    text: str, path: str, dialects: list[Dialect], session: Session, statements: list[Placed], records: StoreRecords
) -> Iterator[Group]:
    """A script's statements in groups: one by one, unless it holds programs."""
    met = 0
    if text and may_hold_programs(text):
        for group in groups(text, path, dialects, session, statements):
            met += len(group.statements)
            session = group.session
            yield group
    for process, at in statements[met:]:
        told = records.process(process)
        spoken = dialects_of(told.dialect) if told.dialect else dialects
        lineage, session = script_lineage(told.text, spoken, session, told.path)
        own = [each for each in lineage.statements if each.resolution.process.procedure == told.procedure]
        yield Group(lineage, [(process, each) for each in own] or [(process, None)], session, at)


def _scripts(snapshot: Snapshot, records: StoreRecords) -> Iterator[tuple[int, str, str, list[Placed]]]:
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
            Placed(records.process_of(processes[row].as_py()), Position(lines[row].as_py(), columns[row].as_py()))
            for row in rows
        ]
        number = int(numbers[first])
        yield number, *told(number), statements


def _texts(snapshot: Snapshot, records: StoreRecords) -> Callable[[int], str]:
    """The text of a script of SQL, by its number; nothing where the store has none."""
    table = snapshot.table("scripts", ["script_id", "kind", "text"])
    rows = pc.index_in(pc.cast(records.script_ids, "int64"), value_set=table.column("script_id")).to_pylist()
    kinds, texts = table.column("kind"), table.column("text")
    return lambda number: (texts[rows[number]].as_py() or "") if kinds[rows[number]].as_py() in _SQL else ""


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
