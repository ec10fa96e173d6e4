"""The statements of a corpus: by type and dialect, and those that are met most often."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from headwater.graph.files import Ints
from headwater.graph.records import Place
from headwater.report.subject import Subject

_SHOWN = 200
"""Characters of a statement's text."""


@dataclass(frozen=True, slots=True)
class StatementKind:
    """Statements of one type, in one dialect."""

    type: str
    dialect: str
    distinct: int
    places: int
    """Where they stand in scripts."""
    seen: int
    """How often they were met, in scripts and logs."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """A statement that is met more than once."""

    type: str
    text: str
    place: Place | None
    places: int
    seen: int


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of a corpus."""

    kinds: tuple[StatementKind, ...]
    distinct: int
    places: int
    seen: int
    repeated: int
    """How many of the distinct ones are met more than once."""
    most_seen: tuple[Repeated, ...]


def statements(subject: Subject, processes: pa.Array | None, top: int) -> Statements:
    """Count the statements of a snapshot; of the given processes only, if some are given."""
    table = _counted(subject, processes)
    kinds = _kinds(table)
    seen = table.column("seen").to_numpy()
    return Statements(
        kinds=kinds,
        distinct=sum(each.distinct for each in kinds),
        places=sum(each.places for each in kinds),
        seen=sum(each.seen for each in kinds),
        repeated=int(np.count_nonzero(seen > 1)),
        most_seen=_most_seen(subject, table, top),
    )


def _counted(subject: Subject, processes: pa.Array | None) -> pa.Table:
    """Processes with their type, dialect, and how often they stand somewhere and are met."""
    fields = ["process_id", "type", "dialect", "query_hash", "seen"]
    table = subject.snapshot.table("processes", fields)
    if processes is not None:
        table = table.filter(pc.is_in(table.column("process_id"), value_set=processes))
    stands = subject.snapshot.table("statements", ["process_id"]).group_by("process_id").aggregate([([], "count_all")])
    at = pc.index_in(table.column("process_id"), value_set=stands.column("process_id").combine_chunks())
    places = pc.fill_null(stands.column("count_all").take(at), 0)
    seen = pc.max_element_wise(pc.fill_null(table.column("seen"), 0), places)
    return table.drop_columns(["seen"]).append_column("places", places).append_column("seen", seen)


def _kinds(table: pa.Table) -> tuple[StatementKind, ...]:
    sums = table.group_by(["type", "dialect"]).aggregate([([], "count_all"), ("places", "sum"), ("seen", "sum")])
    counts: dict[tuple[str, str], Ints] = defaultdict(lambda: np.zeros(3, dtype=np.int64))
    for row in sums.to_pylist():
        key = row["type"] or "Unknown", row["dialect"] or ""
        counts[key] += [row["count_all"], row["places_sum"], row["seen_sum"]]
    found = [StatementKind(*key, *(int(n) for n in numbers)) for key, numbers in counts.items()]
    return tuple(sorted(found, key=lambda each: (-each.distinct, each.type, each.dialect)))


def _most_seen(subject: Subject, table: pa.Table, top: int) -> tuple[Repeated, ...]:
    table = table.filter(pc.greater(table.column("seen"), 1))
    keys = [("seen", "descending"), ("places", "descending"), ("query_hash", "ascending"), ("process_id", "ascending")]
    first = table.take(pc.sort_indices(table, sort_keys=keys)[:top]).to_pylist()
    details = _details(subject, [row["process_id"] for row in first])
    return tuple(_repeated(row, details.get(row["process_id"], {})) for row in first)


def _details(subject: Subject, ids: list[int]) -> dict[int, dict[str, Any]]:
    """Text and first place of some processes, by id."""
    known = subject.arrays.processes.column("process_id")
    rows = pc.index_in(pa.array(ids, pa.int64()), value_set=known.combine_chunks()).to_pylist()
    return {id: subject.arrays.processes.row(row) for id, row in zip(ids, rows, strict=True) if row is not None}


def _repeated(row: dict[str, Any], details: dict[str, Any]) -> Repeated:
    text = " ".join((details.get("text") or "").split())
    text = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    path = details.get("path")
    place = None if path is None else Place(path, details["line"] or 1, details["column"] or 1)
    return Repeated(row["type"] or "Unknown", text, place, row["places"], row["seen"])


def processes_in_scope(subject: Subject) -> pa.Array | None:
    """The ids of the processes that write, read or define a table that is asked for; None if all are."""
    if not subject.scope:
        return None
    arrays = subject.arrays
    ids = arrays.processes.column("process_id").combine_chunks()
    found = np.zeros(len(ids) + 1, dtype=bool)
    for part in subject.parts():
        ends = (arrays.relation_source[part], arrays.relation_target[part])
        inside = subject.tables[arrays.node_entity[ends[0]]] | subject.tables[arrays.node_entity[ends[1]]]
        found[arrays.relation_process[part][inside]] = True
    related = ids.filter(pa.array(found[:-1]))
    asked = arrays.entities.column(arrays.entities.schema.names.index("entity_id")).filter(pa.array(subject.tables))
    rows = subject.snapshot.dataset("entities").to_table(
        columns=["defined_by"], filter=ds.field("entity_id").isin(asked) & (ds.field("defined_by") != 0)
    )
    return pc.unique(pa.concat_arrays([related, *rows.column("defined_by").chunks]))
