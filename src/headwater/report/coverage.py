"""How much of what is written can be traced, schema by schema; and of what cannot, why.

A column is *written* if something is written into its table, and *sourced* if a relation leads to it: both as `headwater build` counts
them. Of sourced columns, those are *uncertain* all of whose sources are marked: candidates, the `*` of an unknown table, a name that
nobody owns. A column without sources is *explained* where the store tells why, else *unsourced*.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.files import Ints
from headwater.model.diagnostic import Severity
from headwater.model.entity import EntityKind
from headwater.report.subject import STAR, Subject

FIELD_OF_SOURCED, ONLY_CHANGED, NO_COLUMN, NEVER_FILLED = "field", "only changed", "constant", "never filled"
"""Reasons for having no sources; another one is a diagnostic's code."""
_EXAMPLES = 3
_CHANGES = ("Update", "Delete")
_SEVERITIES = [Severity.ERROR.value, Severity.WARNING.value]


@dataclass(frozen=True, slots=True)
class Counts:
    """Columns by what is known of their sources; all but `columns` are among those that are written."""

    tables: int
    columns: int
    written: int
    sourced: int
    uncertain: int
    explained: int
    unsourced: int


@dataclass(frozen=True, slots=True)
class SchemaCounts:
    """The columns of a schema."""

    schema: str
    counts: Counts


@dataclass(frozen=True, slots=True)
class Reason:
    """Why columns have no sources: a word of this module or a diagnostic's code; and some of them."""

    reason: str
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much can be traced."""

    total: Counts
    schemas: tuple[SchemaCounts, ...]
    """Those with the most written columns first."""
    reasons: tuple[Reason, ...]


def coverage(subject: Subject) -> Coverage:
    """Count the columns of a snapshot by what is known of their sources."""
    arrays = subject.arrays
    reached, sure = _reached(subject)
    into = np.zeros(len(arrays.entity_rows), dtype=bool)
    into[arrays.node_entity[reached]] = True
    asked = subject.nodes
    written = asked & into[arrays.node_entity]
    bare = written & ~reached
    reasons, unexplained = _reasons(subject, np.flatnonzero(bare), reached)
    unsourced = np.zeros(arrays.nodes, dtype=bool)
    unsourced[unexplained] = True
    masks = (asked, written, written & sure, written & reached & ~sure, bare & ~unsourced, unsourced)
    schemas = _by_schema(subject, masks)
    total = Counts(*(sum(getattr(each.counts, field.name) for each in schemas) for field in fields(Counts)))
    return Coverage(total, schemas, reasons)


def _by_schema(subject: Subject, masks: tuple[Ints, ...]) -> tuple[SchemaCounts, ...]:
    count = len(subject.schemas)
    owner = subject.schema_of[subject.arrays.node_entity]
    tables = np.bincount(subject.schema_of[subject.tables], minlength=count)
    columns = [np.bincount(owner[mask], minlength=count) for mask in masks]
    found = [
        SchemaCounts(name, Counts(*(int(each[number]) for each in (tables, *columns))))
        for number, name in enumerate(subject.schemas)
        if tables[number]
    ]
    return tuple(sorted(found, key=lambda each: (-each.counts.written, -each.counts.columns, each.schema)))


def _reached(subject: Subject) -> tuple[Ints, Ints]:
    """Of each node, whether a relation leads to it, and whether a sure one does."""
    arrays = subject.arrays
    candidate = np.array([m.kind.candidate for m in arrays.meanings], dtype=bool)
    reached, sure = np.zeros(arrays.nodes, dtype=bool), np.zeros(arrays.nodes, dtype=bool)
    named = _named(subject)
    for part in subject.parts():
        kinds, sources, targets = (
            a[part] for a in (arrays.relation_kind, arrays.relation_source, arrays.relation_target)
        )
        made = ~subject.fields[kinds]
        reached[targets[made]] = True
        sure[targets[made & ~candidate[kinds] & named[sources]]] = True
    return reached, sure


def _named(subject: Subject) -> Ints:
    """Of each node, whether it is somebody's: no `*` of an unknown table, and no name that nobody owns."""
    arrays = subject.arrays
    star = np.array([name == STAR for name in arrays.names.to_pylist()], dtype=bool)
    owned = np.asarray(subject.kinds != EntityKind.ORPHAN.value, dtype=bool)
    found: Ints = ~star[arrays.node_name] & owned[arrays.node_entity] if arrays.nodes else np.empty(0, dtype=bool)
    return found


def _reasons(subject: Subject, bare: Ints, reached: Ints) -> tuple[tuple[Reason, ...], Ints]:
    """Why columns have no sources, and those of them that nothing tells it of."""
    arrays = subject.arrays
    groups: dict[str, Ints] = {}
    remaining = bare

    def take(reason: str, fitting: Ints) -> None:
        nonlocal remaining
        groups[reason] = remaining[fitting]
        remaining = remaining[~fitting]

    take(FIELD_OF_SOURCED, _parts_of_reached(subject, reached)[remaining])
    codes, code_of = _code_of_tables(subject)
    for number, code in enumerate(codes):
        take(code, code_of[arrays.node_entity[remaining]] == number)
    take(ONLY_CHANGED, ~_filled(subject)[arrays.node_entity[remaining]])
    take(NO_COLUMN, ~_declared(subject)[remaining])
    groups[NEVER_FILLED] = remaining
    found = [Reason(reason, len(nodes), subject.names_of(nodes[:_EXAMPLES])) for reason, nodes in groups.items()]
    ordered = sorted((each for each in found if each.count), key=lambda each: (-each.count, each.reason))
    return tuple(ordered), remaining


def _parts_of_reached(subject: Subject, reached: Ints) -> Ints:
    """Of each node, whether it is a field, at any depth, of a column that has sources."""
    arrays = subject.arrays
    relations = np.flatnonzero(subject.fields[arrays.relation_kind]) if len(subject.fields) else np.empty(0, np.int64)
    sources, targets = arrays.relation_source[relations], arrays.relation_target[relations]
    found = reached.copy()
    while True:
        before = np.count_nonzero(found)
        found[targets[found[sources]]] = True
        if np.count_nonzero(found) == before:
            return found


def _filled(subject: Subject) -> Ints:
    """Of each table, whether a statement brings rows into it: UPDATE and DELETE only change what is there."""
    arrays = subject.arrays
    types = arrays.processes.column("type")
    filling = np.array([type not in _CHANGES for type in types.to_pylist()] + [False], dtype=bool)
    found = np.zeros(len(arrays.entity_rows), dtype=bool)
    for part in subject.parts():
        targets = arrays.relation_target[part][filling[arrays.relation_process[part]]]
        found[arrays.node_entity[targets]] = True
    return found


def _declared(subject: Subject) -> Ints:
    """Of each node, whether a schema declares it: what a query alone makes has no type."""
    types = np.array([bool(type) for type in subject.arrays.types.to_pylist()] + [False], dtype=bool)
    found: Ints = types[subject.arrays.node_type]
    return found


def _code_of_tables(subject: Subject) -> tuple[list[str], Ints]:
    """What is said of the statements that write each table: codes, and of each table the number of the last of them, or -1."""
    arrays = subject.arrays
    said = subject.snapshot.table("diagnostics", ["process_id", "code", "severity"])
    said = said.filter(pc.is_in(said.column("severity"), value_set=pa.array(_SEVERITIES)))
    codes = sorted(set(said.column("code").to_pylist()))
    found = np.full(len(arrays.entity_rows), -1, dtype=np.int32)
    if not codes:
        return codes, found
    processes = arrays.processes.column("process_id").combine_chunks()
    rows = pc.fill_null(pc.index_in(said.column("process_id"), value_set=processes), len(processes)).to_numpy()
    of_process = np.full(len(processes) + 1, -1, dtype=np.int32)
    np.maximum.at(of_process, rows, pc.index_in(said.column("code"), value_set=pa.array(codes)).to_numpy())
    of_process[-1] = -1
    for part in subject.parts():
        code_of = of_process[arrays.relation_process[part]]
        there = np.flatnonzero(code_of >= 0)
        np.maximum.at(found, arrays.node_entity[arrays.relation_target[part][there]], code_of[there])
    return codes, found
