"""All units to records: round by round, until nothing changes any more.

A round ends with a look for tables that a unit asked for and that another unit turned out to define although its text did not look like it;
if there are such, the next round knows.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from headwater.pipeline.options import Options
from headwater.pipeline.piece_texts import PieceTexts
from headwater.pipeline.round import Extracted, Round
from headwater.pipeline.state import State
from headwater.pipeline.units import Ids, Pieces, Units, distinct_pairs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ROUNDS = 20
"""Rounds after which what still changes is left as it is."""


class Extraction:
    """The extraction of one build."""

    def __init__(
        self,
        spark: SparkSession,
        options: Options,
        texts: PieceTexts,
        pieces: Pieces,
        units: Units,
        work: Path,
        tell: Callable[[float], None],
    ) -> None:
        self._spark = spark
        self._options = options
        self._texts = texts
        self._pieces = pieces
        self._units = units
        self._work = work
        self._tell = tell
        self.reused = 0
        """Units whose analysis in the build before this one stands."""
        self.fresh: Ids = np.zeros(0, np.int64)
        """The units that were analysed in this build."""
        self.circles = 0
        """Circles of definitions, as statements name each other; what later rounds add may be one that only alters what another creates."""
        self.needs = (self.fresh, self.fresh)
        """Which units turned out to need which: the one that needs, and the one that defines."""

    def run(self, user: Ids, definer: Ids, before: Extracted | None) -> Extracted:
        """Extract all units, of which some need others; *before* is what the build before this one has."""
        for number in range(_ROUNDS):
            work = self._work / f"round-{number}"
            under_way = Round(self._spark, self._pieces, self._units, user, definer, before, work)
            found = under_way.run(self._texts, self._options, self._tell)
            self.needs = user, definer
            if number == 0:
                self.circles = under_way.circles
                self.reused = len(self._units.ids) - len(under_way.fresh)
            self.fresh = np.union1d(self.fresh, under_way.fresh)
            others, defining = self._surprising(found.state)
            pairs = np.concatenate([user, others]), np.concatenate([definer, defining])
            known = distinct_pairs(*pairs, len(self._units.ids))
            if len(known[0]) == len(user):
                break
            (user, definer), before = known, found
        return found

    def _surprising(self, state: State) -> tuple[Ids, Ids]:
        """Units that asked for a table in vain which another unit defines; and these others, of several the last."""
        definer, table = state.pairs("tables", self._units)
        by_place = np.argsort(-self._units.first[definer], kind="stable")
        tables, last = np.unique(table[by_place], return_index=True)
        user, wanted = state.pairs("in_vain", self._units)
        if not len(tables) or not len(wanted):
            return user[:0], user[:0]
        at = np.minimum(np.searchsorted(tables, wanted), len(tables) - 1)
        found = definer[by_place][last[at]]
        right = (tables[at] == wanted) & (found != user)
        return user[right], found[right]
