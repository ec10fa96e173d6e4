"""Rows by id: where in an array of ids each of many others stands."""

from __future__ import annotations

import numpy as np

from headwater.graph.files import Ints
from headwater.store import StoreError
from headwater.store.identity import NOWHERE


class RowsById:
    """Ids in some order, made ready to be looked up by the million."""

    def __init__(self, what: str, ids: Ints) -> None:
        self._what = what
        self._order = np.argsort(ids, kind="stable").astype(np.int32)
        self._sorted = ids[self._order]

    def __len__(self) -> int:
        return len(self._sorted)

    def rows(self, wanted: Ints, optional: bool = False) -> Ints:
        """The row of each wanted id; -1 for the id of nothing, where that may be. An id that is not there is a damaged store."""
        at = np.searchsorted(self._sorted, wanted)
        np.minimum(at, max(len(self._sorted) - 1, 0), out=at)
        found = self._sorted[at] == wanted if len(self._sorted) else np.zeros(len(wanted), dtype=bool)
        absent = wanted == NOWHERE if optional else np.zeros(len(wanted), dtype=bool)
        missing = np.flatnonzero(~found & ~absent)
        if missing.size:
            raise StoreError(
                f"the store is damaged: it names {self._what} {wanted[missing[0]]}, which it does not have; build it anew"
            )
        rows = np.full(len(wanted), -1, dtype=np.int32)
        rows[found] = self._order[at[found]]
        return rows
