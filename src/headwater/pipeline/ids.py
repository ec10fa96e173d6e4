"""Ids as arrays, and rows that are chosen by ids."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Ids = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def is_among(known: Ids, ids: Ids) -> Flags:
    """Whether each of some ids is one of those that are known, which are sorted."""
    if not len(known):
        return np.zeros(len(ids), bool)
    same: Flags = known[np.minimum(np.searchsorted(known, ids), len(known) - 1)] == ids
    return same


@dataclass(frozen=True, slots=True)
class Only:
    """Rows whose value in a column is one of some ids."""

    column: str
    ids: Ids
    """Sorted."""

    @classmethod
    def of(cls, column: str, ids: Ids) -> Only:
        """Rows with these ids."""
        return cls(column, np.unique(ids))

    def among(self, rows: pa.Table) -> pa.Table:
        """The rows that are meant."""
        found = is_among(self.ids, rows.column(self.column).to_numpy())
        return rows if found.all() else rows.filter(pa.array(found))
