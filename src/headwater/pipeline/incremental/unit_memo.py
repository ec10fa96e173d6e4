"""What a build remembers of its units: for the next round, and for the next build.

By it an analysis is known to be unchanged without looking at it again: its text is the same to the last literal, it needs the same units as
before, and none of these has changed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.pipeline.ids import Flags, Ids, Only, is_among
from headwater.pipeline.packed import FILE
from headwater.pipeline.plan.units import Pieces, Units, mixed

UNITS = pa.schema(
    [
        ("unit_id", pa.int64()),
        ("exact", pa.int64()),
        ("needs", pa.int64()),
        ("made_in", pa.int64()),
        ("first_script", pa.int64()),
        ("first_ordinal", pa.int64()),
        ("first_time", pa.int64()),
        ("tables", pa.list_(pa.int64())),
        ("in_vain", pa.list_(pa.int64())),
        ("open", pa.list_(pa.int64())),
        ("altered", pa.list_(pa.int64())),
        ("wildcards", pa.list_(pa.int64())),
        ("entities", pa.list_(pa.int64())),
        ("processes", pa.list_(pa.int64())),
        (FILE, pa.int64()),
        ("crashed", pa.bool_()),
    ]
)
_FROM_ANALYSIS = (
    *("unit_id", "made_in", "tables", "in_vain", "open", "altered", "wildcards"),
    *("entities", "processes", FILE, "crashed"),
)
_LISTS = {"entity_id": "entities", "process_id": "processes"}
_NEVER = 0
"""In place of a text's hash: no text has this one."""


@dataclass(frozen=True, slots=True)
class UnitMemo:
    """The memo of units, sorted by id."""

    table: pa.Table

    @classmethod
    def of_build(cls, table: pa.Table) -> UnitMemo:
        """The memo that a build has left; what crashed there counts as new, because that may have been chance."""
        exact = pc.if_else(table.column("crashed"), _NEVER, table.column("exact"))
        return cls(table.set_column(UNITS.get_field_index("exact"), "exact", exact))

    @property
    def ids(self) -> Ids:
        """The units' ids."""
        return self.numbers("unit_id")

    def numbers(self, column: str) -> Ids:
        """A column of numbers."""
        found: Ids = self.table.column(column).to_numpy()
        return found

    def has(self, column: str, ids: Ids, values: Ids) -> Flags:
        """Whether units are in this memo, with these values."""
        if not len(self.ids):
            return np.zeros(len(ids), bool)
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        same: Flags = (self.ids[at] == ids) & (self.numbers(column)[at] == values)
        return same

    def pairs(self, name: str, units: Units) -> tuple[Ids, Ids]:
        """The units' numbers and their tables."""
        lists = self.table.column(name).combine_chunks()
        number = np.searchsorted(units.ids, self.ids)
        parents = pc.list_parent_indices(lists).to_numpy()
        return number[parents], pc.list_flatten(lists).to_numpy()

    def spoken_of(self, column: str, units: Ids) -> Ids:
        """The ids in a column of units' records."""
        rows = self.table.column(_LISTS[column]).filter(pa.array(is_among(units, self.ids)))
        found: Ids = np.unique(pc.list_flatten(rows).to_numpy())
        return found

    def files_with(self, only: Only) -> Ids:
        """The files that have records with some ids."""
        if only.column == "unit_id":
            meant = is_among(only.ids, self.ids)
        else:
            lists = self.table.column(_LISTS[only.column]).combine_chunks()
            rows = pc.list_parent_indices(lists).to_numpy()
            meant = np.zeros(len(self.ids), bool)
            meant[rows[is_among(only.ids, pc.list_flatten(lists).to_numpy())]] = True
        return np.unique(self.numbers(FILE)[meant])


def needs_of(units: Units, user: Ids, definer: Ids) -> Ids:
    """For each unit, a hash of the units that it needs."""
    found = np.zeros(len(units.ids), np.uint64)
    np.add.at(found, user, mixed(units.ids[definer]).view(np.uint64))
    return found.view(np.int64)


def same_text(memo: UnitMemo | None, pieces: Pieces, units: Units) -> Flags:
    """Units that were analysed before, with the same text to the last literal."""
    if memo is None:
        return np.zeros(len(units.ids), bool)
    return memo.has("exact", units.ids, pieces.exact[units.first])


def memo_after(
    made: pa.Table, made_in: int, before: UnitMemo | None, pieces: Pieces, units: Units, needs: Ids
) -> UnitMemo:
    """The memo behind a round: what it made (`task.MADE`, with files), and what is unchanged since before."""
    fresh = made.filter(pc.invert(made.column("reused")))
    fresh = fresh.append_column("made_in", pa.array(np.full(len(fresh), made_in)))
    fresh = fresh.select(_FROM_ANALYSIS).cast(pa.schema([UNITS.field(name) for name in _FROM_ANALYSIS]))
    if before is not None:
        unchanged = np.isin(before.ids, units.ids) & ~np.isin(before.ids, fresh.column("unit_id").to_numpy())
        fresh = pa.concat_tables([fresh, before.table.filter(pa.array(unchanged)).select(_FROM_ANALYSIS)])
    table = fresh.sort_by("unit_id")
    more = {
        "exact": pieces.exact[units.first],
        "needs": needs,
        "first_script": pieces.script[units.first],
        "first_ordinal": pieces.ordinal[units.first],
        "first_time": pieces.time[units.first],
    }
    for name, values in more.items():
        table = table.append_column(name, pa.array(values))
    return UnitMemo(table.select(UNITS.names).cast(UNITS))
