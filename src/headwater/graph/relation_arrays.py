"""Relations as numbers: their ends as nodes, their processes as rows, their kinds as codes of a small table.

A kind also says whether somebody wrote the column's name. `SELECT *` did not, and neither did a RENAME of the whole table; a DISTINCT or
UNION over columns that came through a `*` did not either, and that shows only when all relations are known.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.adjacency import DATA, INFLUENCE, KEYS
from headwater.graph.files import Ints, Meaning
from headwater.graph.rows_by_id import RowsById
from headwater.model.kind import FDD, Kind

FOREIGN_KEY = "foreignKey"
_TYPES: dict[str, Any] = {
    "id": np.int64,
    "source": np.int32,
    "target": np.int32,
    "process": np.int32,
    "kind": np.uint16,
}
"""What is collected of each relation."""
_WHOLE_ROWS = ("distinct", "setOperation")
"""Clauses that are about all columns of a row, and name none."""


class RelationArrays:
    """Collects relations, batch by batch."""

    def __init__(self, nodes: RowsById, processes: RowsById) -> None:
        self._nodes = nodes
        self._processes = processes
        self._columns: dict[str, list[Ints]] = {name: [] for name in _TYPES}
        self._codes: dict[Meaning, int] = {}
        self.count = 0

    @property
    def meanings(self) -> list[Meaning]:
        """What the codes mean, in order."""
        return list(self._codes)

    def add(self, batch: pa.RecordBatch) -> None:
        """Add a batch of the table `relations`."""
        if batch.num_rows == 0:
            return
        ids, sources, targets, processes = (
            batch.column(name).to_numpy() for name in ("relation_id", "source_id", "target_id", "process_id")
        )
        ends = self._nodes.rows(sources), self._nodes.rows(targets)
        found = (ids, *ends, self._processes.rows(processes, optional=True), self._kinds_of(batch))
        for part, column in zip(found, self._columns.values(), strict=True):
            column.append(part)
        self.count += batch.num_rows

    def take(self, name: str) -> Ints:
        """One column of all relations. It is given once: at tens of millions of relations, two copies of all columns are too much."""
        parts = self._columns.pop(name)
        return np.concatenate(parts).astype(_TYPES[name], copy=False) if parts else np.empty(0, _TYPES[name])

    def _code(self, meaning: Meaning) -> int:
        return self._codes.setdefault(meaning, len(self._codes))

    def _kinds_of(self, batch: pa.RecordBatch) -> Ints:
        """The kind codes of a batch: each column becomes small numbers, and these together one, which is looked up once."""
        combined = np.zeros(batch.num_rows, dtype=np.int64)
        values: list[list[Any]] = []
        for column in (*(batch.column(name) for name in Kind._fields), _through_star(batch)):
            encoded = column.dictionary_encode()
            known = [*encoded.dictionary.to_pylist(), None]
            combined = combined * len(known) + pc.fill_null(encoded.indices, len(known) - 1).to_numpy()
            values.append(known)
        distinct, where = np.unique(combined, return_inverse=True)
        return np.array([self._code(_meaning(int(each), values)) for each in distinct], dtype=np.uint16)[where]

    def kinds(self, sources: Ints, processes: Ints) -> Ints:
        """The kind codes of all relations, when all are known."""
        kinds = self.take("kind")
        starred = np.array([m.star for m in self.meanings], dtype=bool)
        whole = np.array([m.kind.clause in _WHOLE_ROWS for m in self.meanings], dtype=bool)
        if not (starred.any() and whole.any()):
            return kinds
        width = np.int64(len(self._processes) + 1)
        at = np.flatnonzero(whole[kinds])
        by_star = np.flatnonzero(starred[kinds])
        known = np.unique(sources[by_star] * width + processes[by_star])
        implied = at[np.isin(sources[at] * width + processes[at], known)]
        again = np.array(
            [
                self._code(m._replace(star=True)) if w else i
                for i, (m, w) in enumerate(zip(self.meanings, whole, strict=True))
            ]
        )
        kinds[implied] = again[kinds[implied]]
        return kinds

    def layers(self) -> Ints:
        """The layer of each kind code."""
        return np.array([layer(m.kind) for m in self.meanings], dtype=np.int8)


def _through_star(batch: pa.RecordBatch) -> pa.Array:
    """Whether a value is handed on by a `*`, or by nobody's words at all."""
    expression = pc.fill_null(batch.column("expression"), "")
    plain = pc.and_(
        pc.equal(batch.column("type"), FDD), pc.fill_null(pc.equal(batch.column("subtype"), "IDENTITY"), False)
    )
    unsaid = pc.or_(pc.ends_with(expression, "*"), pc.equal(expression, ""))
    return pc.fill_null(pc.and_(plain, unsaid), False)


def _meaning(combined: int, values: list[list[Any]]) -> Meaning:
    found = []
    for known in reversed(values):
        combined, digit = divmod(combined, len(known))
        found.append(known[digit])
    star, as_of, candidate, masking, clause, subtype, type = found
    kind = Kind(type or "", subtype, clause or "", bool(masking), bool(candidate), as_of or "")
    return Meaning(kind, bool(star))


def layer(kind: Kind) -> int:
    """The layer that relations of a kind stand in."""
    if kind.clause == FOREIGN_KEY:
        return KEYS
    return DATA if kind.type == FDD else INFLUENCE
