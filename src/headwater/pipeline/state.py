"""What a build knows of its units at the end: for the next round, and for the next build.

By it an analysis that stands is known without looking at it again: its text is the same to the last literal, it needs the same units as
before, and none of these has changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from headwater.pipeline.units import Flags, Ids, Pieces, Units, mixed

STATE = pa.schema(
    [
        ("unit_id", pa.int64()),
        ("exact", pa.int64()),
        ("needs", pa.int64()),
        ("tables", pa.list_(pa.int64())),
        ("in_vain", pa.list_(pa.int64())),
        ("open", pa.list_(pa.int64())),
        ("crashed", pa.bool_()),
    ]
)

_NEVER = 0
"""In place of a text's hash: no text has this one."""


@dataclass(frozen=True, slots=True)
class State:
    """The state of units, sorted by id."""

    table: pa.Table

    @classmethod
    def read(cls, path: Path) -> State | None:
        """The state that a build has left; None if there is none, or one of another form.

        What crashed there counts as new: it may have been chance.
        """
        if not path.is_file() or pq.read_schema(path).names != STATE.names:
            return None
        table = pq.read_table(path, schema=STATE)
        exact = pc.if_else(table.column("crashed"), _NEVER, table.column("exact"))
        return cls(table.set_column(STATE.get_field_index("exact"), "exact", exact))

    def write(self, path: Path) -> None:
        """Leave the state for the next build."""
        pq.write_table(self.table, path, compression="zstd")

    @property
    def ids(self) -> Ids:
        """The units' ids."""
        found: Ids = self.table.column("unit_id").to_numpy()
        return found

    def has(self, column: str, ids: Ids, values: Ids) -> Flags:
        """Whether units are in this state, with these values."""
        if not len(self.ids):
            return np.zeros(len(ids), bool)
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        same: Flags = (self.ids[at] == ids) & (self.table.column(column).to_numpy()[at] == values)
        return same

    def pairs(self, name: str, units: Units) -> tuple[Ids, Ids]:
        """The units' numbers and their tables."""
        lists = self.table.column(name).combine_chunks()
        number = np.searchsorted(units.ids, self.ids)
        parents = pc.list_parent_indices(lists).to_numpy()
        return number[parents], pc.list_flatten(lists).to_numpy()


def exact_of(pieces: Pieces, units: Units) -> Ids:
    """For each unit, a hash of its text to the last literal."""
    return pieces.exact[units.first]


def needs_of(units: Units, user: Ids, definer: Ids) -> Ids:
    """For each unit, a hash of the units that it needs."""
    found = np.zeros(len(units.ids), np.uint64)
    np.add.at(found, user, mixed(units.ids[definer]).view(np.uint64))
    return found.view(np.int64)


def same_text(state: State | None, pieces: Pieces, units: Units) -> Flags:
    """Units that were analysed before, with the same text to the last literal."""
    if state is None:
        return np.zeros(len(units.ids), bool)
    return state.has("exact", units.ids, exact_of(pieces, units))


def same_needs(state: State, units: Units, needs: Ids) -> Flags:
    """Units that were analysed before and needed the same units."""
    return state.has("needs", units.ids, needs)


def after(made: pa.Table, before: State | None, pieces: Pieces, units: Units, needs: Ids) -> State:
    """The state behind a round: what it made, and what stands from before."""
    names = [name for name in STATE.names if name not in ("exact", "needs")]
    fresh = made.filter(pc.invert(made.column("reused"))).select(names)
    if before is not None:
        standing = np.isin(before.ids, units.ids) & ~np.isin(before.ids, fresh.column("unit_id").to_numpy())
        fresh = pa.concat_tables([fresh, before.table.filter(pa.array(standing)).select(names)])
    table = fresh.sort_by("unit_id")
    for name, values in {"exact": exact_of(pieces, units), "needs": needs}.items():
        table = table.append_column(name, pa.array(values))
    table = table.select(STATE.names)
    return State(table.cast(STATE))
