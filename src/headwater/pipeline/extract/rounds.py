"""All units to records: round by round, until nothing changes any more.

A round ends with a look for tables that a unit asked for and that another unit turned out to define although its text did not look like it;
if there are such, the next round knows.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from headwater.pipeline.exchange import Exchange
from headwater.pipeline.extract.extracted import Extracted
from headwater.pipeline.extract.round import Round, Texts
from headwater.pipeline.ids import Ids
from headwater.pipeline.incremental.unit_memo import UnitMemo
from headwater.pipeline.options import Options
from headwater.pipeline.plan.units import Pieces, Units, distinct_pairs
from headwater.store.identity import identify

_MAX_ROUNDS = 20
"""Rounds after which what still changes is left as it is."""


class Extraction:
    """The extraction of one build."""

    def __init__(
        self,
        exchange: Exchange,
        options: Options,
        texts: Texts,
        pieces: Pieces,
        units: Units,
        tell: Callable[[float], None],
    ) -> None:
        self._exchange = exchange
        self._options = options
        self._texts = texts
        self._pieces = pieces
        self._units = units
        self._tell = tell
        self.reused = 0
        """Units whose analysis in the build before this one is reused."""
        self.fresh: Ids = np.zeros(0, np.int64)
        """The units that were analysed in this build."""
        self.cycles = 0
        """Cycles of definitions, as statements name each other; what later rounds add may be one that only alters what another creates."""
        self.needs = (self.fresh, self.fresh)
        """Which units turned out to need which: the one that needs, and the one that defines."""

    def run(self, user: Ids, definer: Ids, before: Extracted | None) -> Extracted:
        """Extract all units, of which some need others; *before* is what the build before this one has."""
        for number in range(_MAX_ROUNDS):
            under_way = Round(self._exchange, self._pieces, self._units, user, definer, before)
            made_in = identify("pass", self._exchange.build.id, str(number))
            found = under_way.run(self._texts, self._options, made_in, self._tell)
            self.needs = user, definer
            if number == 0:
                self.cycles = under_way.cycles
                self.reused = len(self._units.ids) - len(under_way.fresh)
            self.fresh = np.union1d(self.fresh, under_way.fresh)
            others, defining = self._surprising(found.memo)
            pairs = np.concatenate([user, others]), np.concatenate([definer, defining])
            known = distinct_pairs(*pairs, len(self._units.ids))
            if len(known[0]) == len(user):
                break
            (user, definer), before = known, found
        return found

    def _surprising(self, memo: UnitMemo) -> tuple[Ids, Ids]:
        """Units that asked for a table in vain which another unit defines; and these others, of several the last."""
        definer, table = memo.pairs("tables", self._units)
        by_place = np.argsort(-self._units.first[definer], kind="stable")
        tables, last = np.unique(table[by_place], return_index=True)
        user, wanted = memo.pairs("in_vain", self._units)
        if not len(tables) or not len(wanted):
            return user[:0], user[:0]
        at = np.minimum(np.searchsorted(tables, wanted), len(tables) - 1)
        found = definer[by_place][last[at]]
        right = (tables[at] == wanted) & (found != user)
        return user[right], found[right]
