"""What ran: the tables and columns that statements of query logs use most, and those whose statements cost most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from headwater.graph.files import Ints
from headwater.graph.records import Column, Table
from headwater.graph.usage import UNITS, Runs, Use, column_use, table_use
from headwater.model.entity import EntityKind
from headwater.report.subject import STAR, Subject


@dataclass(frozen=True, slots=True)
class Used:
    """A table or column, how often it was read, when last, and what the statements cost that did so."""

    what: Table | Column
    runs: int
    last: datetime | None
    costs: tuple[float, ...]
    """In the order of `Usage.units`."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Use and cost, by query logs."""

    first: datetime | None
    last: datetime | None
    """The period of the logs."""
    runs: int
    units: tuple[str, ...]
    """What the logs tell of costs."""
    totals: tuple[float, ...]
    """The costs of all that ran."""
    tables: tuple[Used, ...]
    columns: tuple[Used, ...]
    """The most used."""
    dearest_tables: dict[str, tuple[Used, ...]]
    dearest_columns: dict[str, tuple[Used, ...]]
    """By unit."""


def usage(subject: Subject, ran: Runs | None, top: int) -> Usage | None:
    """The use of tables and columns; None if no log tells it."""
    if ran is None:
        return None
    arrays = subject.arrays
    units = tuple(unit for unit in UNITS if unit in ran.costs)
    tables, columns = table_use(arrays, ran), column_use(arrays, ran)
    results = np.asarray(subject.kinds == EntityKind.RESULT_SET.value, dtype=bool)
    stars = np.array([name == STAR for name in arrays.names.to_pylist()], dtype=bool)
    asked_tables = subject.tables & ~results
    asked_columns = subject.nodes & asked_tables[arrays.node_entity]
    if len(stars):
        asked_columns = asked_columns & ~stars[arrays.node_name]

    def listed(use: Use, asked: Ints, by: Ints, record: Callable[[int], Table | Column]) -> tuple[Used, ...]:
        weight = np.where(asked, by, 0)
        order = np.lexsort((np.arange(len(weight)), -weight))[:top]
        return tuple(
            Used(record(at), int(use.count[at]), use.time(at), tuple(float(use.costs[unit][at]) for unit in units))
            for at in order.tolist()
            if weight[at]
        )

    return Usage(
        ran.first_time,
        ran.last_time,
        int(ran.count.sum()),
        units,
        tuple(float(ran.costs[unit].sum()) for unit in units),
        listed(tables, asked_tables, tables.count, subject.records.table),
        listed(columns, asked_columns, columns.count, subject.records.column),
        {unit: listed(tables, asked_tables, tables.costs[unit], subject.records.table) for unit in units},
        {unit: listed(columns, asked_columns, columns.costs[unit], subject.records.column) for unit in units},
    )
