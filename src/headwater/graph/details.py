"""What there is to say about one table or column: its neighbours, the statements that write and read it, the relations on both sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headwater.graph.adjacency import DATA, INFLUENCE, LAYERS, Adjacency, Flow
from headwater.graph.files import ROW_SET, Arrays, Ints
from headwater.graph.records import Column, Hop, Process, Records, Table

_DATA_FLOW, _ALL = Flow(), Flow(influence=True, keys=True)
_LOOKED_AT = 100_000
"""Relations of a table that are looked at for its statements: what thousands read is not looked through to the end."""


@dataclass(frozen=True, slots=True)
class Degree:
    """How many tables or columns data flows from and to directly."""

    upstream: int
    downstream: int


@dataclass(frozen=True, slots=True)
class TableDetails:
    """What there is to say about a table; of neighbours and statements, the first."""

    table: Table
    spelling: str
    complete: bool
    degree: Degree
    upstream: tuple[Table, ...]
    downstream: tuple[Table, ...]
    """By data flow, those with the most relations first."""
    written_by: tuple[Process, ...]
    read_by: tuple[Process, ...]


@dataclass(frozen=True, slots=True)
class Uses:
    """The relations on one side of a column, the first of them, and how many there are."""

    hops: tuple[Hop, ...]
    total: int


def table_degree(arrays: Arrays, table: int) -> Degree:
    """How many tables data flows from and to directly."""
    sides = arrays.table_incoming, arrays.table_outgoing
    counts = (side.bounds[table * LAYERS + INFLUENCE] - side.bounds[table * LAYERS + DATA] for side in sides)
    return Degree(*map(int, counts))


def column_degree(arrays: Arrays, node: int) -> Degree:
    """How many other columns data flows from and to directly."""
    return Degree(*(_others(side, node) for side in (arrays.incoming, arrays.outgoing)))


def _others(side: Adjacency, node: int) -> int:
    near = np.unique(side.neighbours[side.positions(np.array([node]), _DATA_FLOW)])
    return len(near) - int(np.count_nonzero(near == node))


def table_details(arrays: Arrays, records: Records, table: Table, neighbours: int, statements: int) -> TableDetails:
    """What there is to say about a table."""
    nodes = np.arange(*arrays.entity_start[table.number : table.number + 2].tolist())
    spelling, complete, defined_by = (
        arrays.entity_field(name)[table.number].as_py() for name in ("spelling", "complete", "defined_by")
    )
    return TableDetails(
        table=table,
        spelling=spelling or table.name,
        complete=bool(complete),
        degree=table_degree(arrays, table.number),
        upstream=_nearest(arrays.table_incoming, records, table.number, neighbours),
        downstream=_nearest(arrays.table_outgoing, records, table.number, neighbours),
        written_by=_statements(arrays, records, arrays.incoming, nodes, statements, defined_by or 0),
        read_by=_statements(arrays, records, arrays.outgoing, nodes, statements),
    )


def _nearest(side: Adjacency, records: Records, table: int, most: int) -> tuple[Table, ...]:
    positions = side.positions(np.array([table]), _DATA_FLOW)
    others = side.neighbours[positions]
    order = np.lexsort((others, -side.relations[positions]))[:most]
    return tuple(records.table(other) for other in others[order].tolist())


def _statements(
    arrays: Arrays, records: Records, side: Adjacency, nodes: Ints, most: int, defined_by: int = 0
) -> tuple[Process, ...]:
    """The first statements that make relations on a side of some nodes, by place; and one that defines their table."""
    relations = side.relations[side.positions(nodes, _ALL)[:_LOOKED_AT]]
    rows = np.unique(arrays.relation_process[relations])
    rows = rows[rows >= 0]
    found = {int(row): None for row in rows[: most - bool(defined_by)]}
    if defined_by and (row := records.process_row(defined_by)) is not None:
        found[row] = None
    processes = [process for row in found if (process := records.process(row)) is not None]
    return tuple(sorted(processes, key=_by_place))


def _by_place(process: Process) -> tuple[str, int, int, int]:
    place = process.place
    return ("", 0, 0, process.id) if place is None else (place.path, place.line, place.column, process.id)


def column_numbers(arrays: Arrays, table: int) -> Ints:
    """The columns of a table, in order, without its row set."""
    nodes = np.arange(*arrays.entity_start[table : table + 2].tolist())
    found: Ints = nodes[arrays.node_flags[nodes] & ROW_SET == 0]
    return found


def uses(arrays: Arrays, records: Records, side: Adjacency, column: Column, limit: int) -> Uses:
    """The relations on a side of a column: data flow first, then influence, then keys."""
    positions = side.positions(np.array([column.node]), _ALL)
    return Uses(tuple(records.hops(side.relations[positions[:limit]])), len(positions))
