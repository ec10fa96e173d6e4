"""How much of what a corpus writes is explained. This is the only place that decides it; everything else shows what is counted here.

A column is **written** if a statement puts something into it: a relation leads to it, or it holds a constant. It is **explained** if data
flows into it from a column that is known, or if it holds a constant (a literal, counted rows, a function without columns). A column that
only comes from candidates, from names that no table has, from the `*` of an unknown table or from a table function that nobody described
is written, but not explained. Foreign keys write nothing, and neither do the fields of a column. Statements and scripts that are lost are
counted beside the columns: what they write is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.fields import FIELD
from headwater.graph.files import CONSTANT, ROW_SET, UNKNOWN, Arrays, Ints
from headwater.graph.lost import Losses, losses
from headwater.graph.relation_arrays import FOREIGN_KEY
from headwater.model.diagnostic import Code
from headwater.model.entity import EntityKind
from headwater.model.kind import FDD
from headwater.store import Snapshot

STAR = "*"
_RELATIONS_AT_ONCE = 1_000_000


class State(IntEnum):
    """What is known of a column's origin; of several, the first that holds."""

    NOT_WRITTEN = 0
    SOURCED = 1
    """Data flows into it from a known column."""
    CONSTANT = 2
    """It holds literals, counted rows, or what functions without columns give."""
    UNRESOLVED = 3
    """It comes from a name that no table has."""
    AMBIGUOUS = 4
    """It comes from one of several columns."""
    OPEN_STAR = 5
    """It comes from the `*` of a table whose columns are unknown."""
    UNTRACED = 6
    """A statement writes it, and what it writes could not be traced."""


EXPLAINED = (State.SOURCED, State.CONSTANT)
UNEXPLAINED = (State.UNRESOLVED, State.AMBIGUOUS, State.OPEN_STAR, State.UNTRACED)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many written columns there are, how many of them are explained, and what was lost."""

    written: int
    explained: int
    losses: Losses

    @property
    def share(self) -> float:
        """The share of written columns that are explained."""
        return self.explained / self.written if self.written else 1.0

    @property
    def headline(self) -> str:
        """The figure in words, as every command and page shows it.

        >>> Coverage(200, 199, Losses(64, 0, 9, 0)).headline
        '99.5% of the 200 written columns are explained'
        >>> Coverage(0, 0, Losses(64, 2, 9, 1)).headline
        'no column is written; 2 of 64 statements and 1 of 9 scripts were lost'
        """
        lost = self.losses.words
        return f"{self._columns}; {lost}" if lost else self._columns

    @property
    def _columns(self) -> str:
        if not self.written:
            return "no column is written"
        columns = "column is" if self.written == 1 else "columns are"
        return f"{percent(self.explained, self.written)} of the {self.written:,} written {columns} explained"


def percent(part: int, whole: int) -> str:
    """A share with one decimal, rounded down: only all of it is 100%.

    >>> percent(9_999, 10_000), percent(3, 3)
    ('99.9%', '100.0%')
    """
    tenths = 1000 * part // whole
    return f"{tenths // 10}.{tenths % 10}%"


def coverage(arrays: Arrays, snapshot: Snapshot) -> Coverage:
    """Count the columns of a snapshot, and what was lost."""
    counts = np.bincount(column_states(arrays, snapshot), minlength=len(State))
    explained = int(counts[list(EXPLAINED)].sum())
    return Coverage(explained + int(counts[list(UNEXPLAINED)].sum()), explained, losses(snapshot))


def column_states(arrays: Arrays, snapshot: Snapshot) -> Ints:
    """The state of each column. Row sets and orphan columns count as not written."""
    sources = _Sources(arrays, _UnknownFunctions(arrays, snapshot))
    written = sources.written | (arrays.node_flags & (CONSTANT | UNKNOWN) != 0) | _left_over(arrays, snapshot, sources)
    found = np.where(written, State.UNTRACED, State.NOT_WRITTEN).astype(np.int8)
    found[sources.star] = State.OPEN_STAR
    found[sources.candidate] = State.AMBIGUOUS
    found[sources.orphan] = State.UNRESOLVED
    found[arrays.node_flags & CONSTANT != 0] = State.CONSTANT
    found[sources.sure] = State.SOURCED
    found[arrays.node_flags & ROW_SET != 0] = State.NOT_WRITTEN
    found[_of_orphans(arrays)] = State.NOT_WRITTEN
    return found


class _Sources:
    """Of each node, whether something writes it, and what kinds of sources data flows into it from."""

    def __init__(self, arrays: Arrays, functions: _UnknownFunctions) -> None:
        kinds = [meaning.kind for meaning in arrays.meanings]
        writes = np.array([kind.clause not in (FIELD, FOREIGN_KEY) for kind in kinds], dtype=bool)
        data = writes & np.array([kind.type == FDD for kind in kinds], dtype=bool)
        candidate = np.array([kind.candidate for kind in kinds], dtype=bool)
        orphan, star = _of_orphans(arrays), _stars(arrays)
        masks = [np.zeros(arrays.nodes, dtype=bool) for _ in range(5)]
        self.written, self.sure, self.candidate, self.orphan, self.star = masks
        for start in range(0, arrays.relations, _RELATIONS_AT_ONCE):
            part = slice(start, start + _RELATIONS_AT_ONCE)
            kind, source, target = (
                each[part] for each in (arrays.relation_kind, arrays.relation_source, arrays.relation_target)
            )
            flows, guessed = data[kind], candidate[kind]
            self.written[target[writes[kind]]] = True
            self.orphan[target[flows & orphan[source]]] = True
            self.star[target[flows & star[source]]] = True
            self.candidate[target[flows & guessed]] = True
            doubtful = guessed | orphan[source] | star[source] | functions.give(arrays, part, source)
            self.sure[target[flows & ~doubtful]] = True


class _UnknownFunctions:
    """Table functions that nobody described: columns that come from them alone are not traced. The diagnostics name them."""

    def __init__(self, arrays: Arrays, snapshot: Snapshot) -> None:
        rows = _of_code(snapshot, Code.UNKNOWN_TABLE_FUNCTION, ["process_id", "subject"])
        names = {name.lower() for name in rows.column("subject").to_pylist() if name}
        self._processes = _process_rows(arrays, rows)
        parts = arrays.entity_field("parts").to_pylist() if names else []
        self._entities = np.array([bool(part) and part[-1].lower() in names for part in parts], dtype=bool)

    def give(self, arrays: Arrays, part: slice, source: Ints) -> Ints:
        """Of some relations, whether their source is a column of such a function."""
        if not self._entities.any():
            return np.zeros(len(source), dtype=bool)
        found: Ints = self._entities[arrays.node_entity[source]] & np.isin(
            arrays.relation_process[part], self._processes
        )
        return found


def _of_orphans(arrays: Arrays) -> Ints:
    """Of each node, whether it stands for a name that no table has."""
    kinds = arrays.entity_field("kind")
    orphans: Ints = pc.equal(kinds, EntityKind.ORPHAN.value).to_numpy(zero_copy_only=False)
    return orphans[arrays.node_entity] if arrays.nodes else np.zeros(0, dtype=bool)


def _stars(arrays: Arrays) -> Ints:
    """Of each node, whether it stands for the columns of a table that are unknown."""
    names = np.array([name == STAR for name in arrays.names.to_pylist()], dtype=bool)
    return names[arrays.node_name] if arrays.nodes else np.zeros(0, dtype=bool)


def _of_code(snapshot: Snapshot, code: Code, fields: list[str]) -> pa.Table:
    """The diagnostics of a code."""
    diagnostics = snapshot.table("diagnostics", [*fields, "code"])
    return diagnostics.filter(pc.equal(diagnostics.column("code"), code.value))


def _process_rows(arrays: Arrays, diagnostics: pa.Table) -> Ints:
    """The processes that have one of some diagnostics, as rows of `processes`."""
    ids = arrays.processes.column("process_id").combine_chunks()
    found: Ints = pc.index_in(pc.unique(diagnostics.column("process_id")), value_set=ids).drop_null().to_numpy()
    return found


def _left_over(arrays: Arrays, snapshot: Snapshot, sources: _Sources) -> Ints:
    """Of each node, whether a statement may write it whose columns do not fit its table: what is left over has no relation."""
    rows = _process_rows(arrays, _of_code(snapshot, Code.SCHEMA_MISMATCH, ["process_id"]))
    tables = np.zeros(len(arrays.entity_rows), dtype=bool)
    if len(rows):
        relations = np.flatnonzero(np.isin(arrays.relation_process, rows))
        tables[arrays.node_entity[arrays.relation_target[relations]]] = True
    found: Ints = tables[arrays.node_entity] & ~sources.written if arrays.nodes else np.zeros(0, dtype=bool)
    return found
