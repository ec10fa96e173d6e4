"""The graph's arrays on disk: which files a snapshot has of the kind `graph`, what they hold, and how they are opened.

Arrays are `.npy` files and strings Arrow IPC files; both are mapped into memory, so that opening reads next to nothing and what a
question does not touch is never read. A **node** is a column's number, in order of its table's name; the nodes of a table stand
side by side. A **relation** is a relation's number, in no particular order.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from headwater.graph.adjacency import Adjacency
from headwater.model.kind import Kind
from headwater.store import StoreError

FOLDER = "graph"
FORMAT = 5
"""Number of the arrays' own format; arrays of another one are made anew."""

INFERRED, ROW_SET, CONSTANT, UNKNOWN = 1, 2, 4, 8
"""Bits of a node's flags; the last two are the values of the store's `columns.value`."""

STATEMENT_FIELDS = ("start", "end", "line", "column", "process_id")
"""What is kept of a statement, as in the store's table."""

Ints = npt.NDArray[Any]


class Meaning(NamedTuple):
    """What a relation's kind code means; *star* says that nobody wrote the column's name: it was reached through `*`."""

    kind: Kind
    star: bool


class Strings:
    """Rows of an Arrow IPC file, mapped into memory and read one at a time."""

    def __init__(self, path: Path) -> None:
        self._reader = pa.ipc.open_file(pa.memory_map(str(path)))
        self._starts = np.load(path.with_suffix(".npy"), mmap_mode="r")
        self._batches: dict[int, pa.RecordBatch] = {}

    @property
    def count(self) -> int:
        """How many rows there are."""
        return int(self._starts[-1])

    def row(self, number: int) -> dict[str, Any]:
        """A row, by its number."""
        found = int(np.searchsorted(self._starts, number, "right")) - 1
        batch = self._batch(found)
        at = number - int(self._starts[found])
        return {name: batch.column(i)[at].as_py() for i, name in enumerate(batch.schema.names)}

    def column(self, name: str) -> pa.ChunkedArray:
        """One field of all rows."""
        schema = self._reader.schema
        batches = range(self._reader.num_record_batches)
        at = schema.get_field_index(name)
        return pa.chunked_array([self._batch(i).column(at) for i in batches], schema.field(at).type)

    def rows(self, numbers: Ints) -> list[tuple[Any, ...]]:
        """Many rows, in the order of their numbers."""
        batches = np.searchsorted(self._starts, numbers, "right") - 1
        order = np.argsort(batches, kind="stable")
        found: list[tuple[Any, ...]] = [()] * len(numbers)
        edges = np.flatnonzero(np.diff(batches[order], prepend=-1, append=-1))
        for first, behind in pairwise(edges.tolist()):
            own = order[first:behind]
            batch = int(batches[own[0]])
            taken = self._batch(batch).take(pa.array(numbers[own] - self._starts[batch]))
            for at, row in zip(own.tolist(), zip(*taken.to_pydict().values(), strict=True), strict=True):
                found[at] = row
        return found

    def _batch(self, number: int) -> pa.RecordBatch:
        found = self._batches.get(number)
        if found is None:
            found = self._batches[number] = self._reader.get_batch(number)
        return found


@dataclass(frozen=True, slots=True)
class Arrays:
    """The arrays of one snapshot, opened."""

    entities: pa.RecordBatch
    """Tables and results, sorted by name and id."""
    entity_start: Ints
    """The first node of each entity, and behind the last one the number of nodes."""
    entity_rows: Ints
    """The node of each entity's row set, or -1."""
    node_entity: Ints
    node_id: Ints
    node_name: Ints
    """A column's name, as a row of `names`."""
    node_type: Ints
    """A column's declared type, as a row of `types`, or -1."""
    node_flags: Ints
    node_order: Ints
    """The nodes in order of their ids."""
    name_start: Ints
    """Where the nodes of each name begin in `name_nodes`, and behind the last one how many there are."""
    name_nodes: Ints
    """The nodes by name, row sets left out; of one name those of lasting tables first, then of tables with short names."""
    statement_script: Ints
    """The scripts of all statements, sorted."""
    statement_fields: Ints
    """Of each of these statements, a row: see `STATEMENT_FIELDS`."""
    names: pa.Array
    types: pa.Array
    incoming: Adjacency
    outgoing: Adjacency
    table_incoming: Adjacency
    """Which tables each table is made of, itself left out: `relations` is how many relations there are between the two."""
    table_outgoing: Adjacency
    relation_id: Ints
    relation_source: Ints
    relation_target: Ints
    relation_kind: Ints
    relation_process: Ints
    """A relation's process, as a row of `processes`, or -1."""
    meanings: tuple[Meaning, ...]
    details: Strings
    """Expression and place of each relation."""
    processes: Strings
    """Id, type, procedure and text of each process, and the script and place where it stands first; of one that a template makes also
    `lines` and `size` of its stretch of the template (`process_lines`)."""

    def entity_field(self, name: str) -> pa.Array:
        """One field of all entities."""
        return self.entities.column(self.entities.schema.get_field_index(name))

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.node_entity)

    @property
    def relations(self) -> int:
        """How many relations there are."""
        return len(self.relation_kind)


_NODE_ARRAYS = (
    *("entity_start", "entity_rows", "node_entity", "node_id", "node_name", "node_type", "node_flags", "node_order"),
    *("name_start", "name_nodes", "statement_script", "statement_fields"),
)
_RELATION_ARRAYS = ("relation_id", "relation_source", "relation_target", "relation_kind", "relation_process")


def are_there(folder: Path) -> bool:
    """Whether a folder holds arrays that this version reads."""
    try:
        found = json.loads((folder / "graph.json").read_text())
    except FileNotFoundError:
        return False
    except ValueError as error:
        raise StoreError(f"{folder} is damaged; remove that folder, it is made anew") from error
    return isinstance(found, dict) and found.get("format") == FORMAT


def open_arrays(folder: Path) -> Arrays:
    """Open the arrays in a folder."""
    try:
        return _opened(folder)
    except (OSError, ValueError, KeyError, pa.ArrowInvalid) as error:
        raise StoreError(f"{folder} is damaged; remove that folder, it is made anew") from error


def _opened(folder: Path) -> Arrays:
    about = json.loads((folder / "graph.json").read_text())

    def array(name: str) -> Ints:
        return as_array(np.load(folder / f"{name}.npy", mmap_mode="r"))

    def adjacency(side: str) -> Adjacency:
        return Adjacency(array(f"{side}_bounds"), array(f"{side}_neighbours"), array(f"{side}_relations"))

    return Arrays(
        entities=_single(folder / "entities.arrow"),
        names=_single(folder / "names.arrow").column(0),
        types=_single(folder / "types.arrow").column(0),
        incoming=adjacency("in"),
        outgoing=adjacency("out"),
        table_incoming=adjacency("table_in"),
        table_outgoing=adjacency("table_out"),
        meanings=tuple(Meaning(Kind(*kind), star) for *kind, star in about["kinds"]),
        details=Strings(folder / "details.arrow"),
        processes=Strings(folder / "processes.arrow"),
        **{name: array(name) for name in (*_NODE_ARRAYS, *_RELATION_ARRAYS)},
    )


def as_array(mapped: Ints) -> Ints:
    """A mapped array as a plain one over the same memory: numpy's own class for them makes every slice slower."""
    return mapped.view(np.ndarray)


def _single(path: Path) -> pa.RecordBatch:
    return pa.ipc.open_file(pa.memory_map(str(path))).get_batch(0)
