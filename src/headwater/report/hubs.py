"""What everything hangs on: tables with the most sources and the most readers, columns that most others are made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headwater.graph.adjacency import DATA, INFLUENCE, KEYS, LAYERS, Adjacency
from headwater.graph.files import Ints
from headwater.graph.records import Column, Table
from headwater.model.entity import EntityKind
from headwater.report.subject import Subject


@dataclass(frozen=True, slots=True)
class TableDegree:
    """A table, and how much leads to it or from it; data flow and influence, itself not counted."""

    table: Table
    tables: int
    queries: int
    """Queries that write nothing, among its readers."""
    relations: int


@dataclass(frozen=True, slots=True)
class ColumnDegree:
    """A column, and how many others it is made of, or are made of it, by data flow."""

    column: Column
    columns: int


@dataclass(frozen=True, slots=True)
class Hubs:
    """Tables and columns by how much leads to them and from them."""

    fan_in: tuple[TableDegree, ...]
    fan_out: tuple[TableDegree, ...]
    made_of_most: tuple[ColumnDegree, ...]
    most_used: tuple[ColumnDegree, ...]
    readers: tuple[int, ...]
    """How many tables have so many readers: none, 1, 2 to 3, 4 to 7, and so on."""


def hubs(subject: Subject, top: int) -> Hubs:
    """Count the neighbours of tables and columns."""
    count = len(subject.kinds)
    sources, targets, relations = _table_pairs(subject)
    results = np.asarray(subject.kinds == EntityKind.RESULT_SET.value, dtype=bool)
    orphans = np.asarray(subject.kinds == EntityKind.ORPHAN.value, dtype=bool)
    queries = np.bincount(sources[results[targets]], minlength=count)
    owned = ~orphans[sources]
    ins = np.bincount(targets[owned], minlength=count), np.zeros(count, dtype=np.int64)
    outs = np.bincount(sources, minlength=count) - queries, queries
    asked = subject.tables & ~results
    return Hubs(
        fan_in=_tables(subject, ins, np.bincount(targets[owned], relations[owned], count), asked, top),
        fan_out=_tables(subject, outs, np.bincount(sources, relations, count), asked, top),
        made_of_most=_columns(subject, subject.arrays.incoming, top),
        most_used=_columns(subject, subject.arrays.outgoing, top),
        readers=_doubling((outs[0] + outs[1])[asked]),
    )


def _table_pairs(subject: Subject) -> tuple[Ints, Ints, Ints]:
    """The pairs of tables between which relations lead, as two arrays; and how many relations each has."""
    arrays, width = subject.arrays, np.int64(max(len(subject.kinds), 1))
    found, counts = np.empty(0, np.int64), np.empty(0, np.int64)
    for part in subject.parts():
        kinds = arrays.relation_kind[part]
        sources = arrays.node_entity[arrays.relation_source[part]].astype(np.int64)
        targets = arrays.node_entity[arrays.relation_target[part]]
        flowing = (subject.layers[kinds] != KEYS) & (sources != targets)
        pairs, sizes = np.unique((sources * width + targets)[flowing], return_counts=True)
        merged, where = np.unique(np.concatenate([found, pairs]), return_inverse=True)
        counts = np.bincount(where, np.concatenate([counts, sizes]), len(merged)).astype(np.int64)
        found = merged
    return found // width, found % width, counts


def _tables(
    subject: Subject, degree: tuple[Ints, Ints], relations: Ints, asked: Ints, top: int
) -> tuple[TableDegree, ...]:
    tables, queries = degree
    number = np.arange(len(tables))
    order = np.lexsort((number, -relations, -(tables + queries)))
    first = order[(asked & (tables + queries > 0))[order]][:top]
    return tuple(
        TableDegree(subject.records.table(at), int(tables[at]), int(queries[at]), int(relations[at]))
        for at in first.tolist()
    )


def _columns(subject: Subject, side: Adjacency, top: int) -> tuple[ColumnDegree, ...]:
    """The columns with the most neighbours on a side; neighbours stand sorted, so that equal ones are next to each other."""
    if not subject.arrays.relations:
        return ()
    bounds = side.bounds
    new = np.ones(len(side.neighbours) + 1, dtype=bool)
    new[1:-1] = side.neighbours[1:] != side.neighbours[:-1]
    new[bounds[:-1]] = True
    before = np.zeros(len(new), dtype=np.int32)
    np.cumsum(new[:-1], out=before[1:])
    nodes = np.arange(subject.arrays.nodes) * LAYERS
    degree = before[bounds[nodes + INFLUENCE]] - before[bounds[nodes + DATA]]
    own = subject.arrays.relation_source == subject.arrays.relation_target
    own &= (subject.layers == DATA)[subject.arrays.relation_kind]
    degree[np.unique(subject.arrays.relation_source[own])] -= 1
    degree[~subject.nodes] = 0
    order = np.lexsort((nodes, -degree))[:top]
    return tuple(ColumnDegree(subject.records.column(at), int(degree[at])) for at in order.tolist() if degree[at])


def _doubling(values: Ints) -> tuple[int, ...]:
    """How many values are 0, 1, 2 to 3, 4 to 7, and so on.

    >>> _doubling(np.array([0, 1, 2, 3, 4]))
    (1, 1, 2, 1)
    """
    bins = np.ceil(np.log2(values.astype(np.float64) + 1)).astype(np.int64)
    return tuple(np.bincount(bins).tolist())
