"""What a build has to stitch anew: ids of scripts, processes and entities of which the tables of the build before may say something else.

Everything that the tables say is said by scripts, by the units of their pieces, and by the records of these units. A row stands if nobody
who has a say in it is new, gone or changed:

    scripts, statements, diagnostics   the script, and the units of its pieces
    processes                          also all scripts in which the process stands
    relations                          the units in which the process stands, and what these are asked for
    entities, columns                  the units that speak of the entity, and their order, which decides on spellings and definitions

Two units that both stand, at the same first place, are in the same order as before: path, time, ordinal and script decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds

from headwater.pipeline.record_keys import RecordKeys, record_keys
from headwater.pipeline.units import Ids, mixed

MANY = 0.2
"""The share of touched scripts from which on everything is stitched anew."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """Where a build keeps what it knows of scripts and units."""

    keys: Path
    places: Path
    records: Path
    asked: Path
    """What units were asked for, behind their open stars."""

    @property
    def is_there(self) -> bool:
        """Whether it is kept at all."""
        return self.keys.is_file() and self.places.is_file() and self.records.is_dir() and self.asked.is_file()


@dataclass(frozen=True, slots=True)
class Touched:
    """The ids of what is to be stitched anew."""

    scripts: Ids
    processes: Ids
    related: Ids
    """The processes whose relations may be others."""
    entities: Ids
    relating: Ids
    """The units that have a say in touched relations."""
    naming: Ids
    """The units that speak of touched entities."""
    units: Ids
    """The units that have a say in anything that is touched."""
    elsewhere: pa.Table
    """The places of touched processes in scripts that are not touched: `process_id`, `script_id`."""


def touched(before: Remembered, now: Remembered, statements: pa.Table, fresh: Ids) -> Touched | None:
    """What is touched between two builds; None if that is much.

    *statements* are the `script_id` and `process_id` of the statements before, *fresh* the units that were analysed since; those that are
    asked for other columns than before are as good as fresh.
    """
    fresh = _union(fresh, _differing("unit_id", *(_table(each.asked, ["unit_id", "key"]) for each in (before, now))))
    old, new = (_places(each.places) for each in (before, now))
    keys = [_table(each.keys, ["script_id", "script_key"]) for each in (before, now)]
    scripts = _union(
        _differing("script_id", *keys),
        _differing("script_id", *(places.select(["script_id", "ordinal", "unit_id"]) for places in (old, new))),
        _of(new, "script_id", "unit_id", fresh),
    )
    if len(scripts) >= MANY * len(keys[1]):
        return None
    return _Units(before, now, old, new, fresh).touched(scripts, statements)


class _Units:
    """What units said before, and say now."""

    def __init__(self, before: Remembered, now: Remembered, old: pa.Table, new: pa.Table, fresh: Ids) -> None:
        self._new = new
        firsts = (places.filter(places.column("first")).drop_columns("first") for places in (old, new))
        moved = _differing("unit_id", *firsts)
        ids = np.unique(new.column("unit_id").to_numpy())
        self._fresh = _union(fresh, np.setdiff1d(moved, ids))
        self._moved = _union(moved, fresh)
        self._says = record_keys(sorted(now.records.glob("*.parquet")))
        self._said = _said(before.records, now.records)

    def touched(self, scripts: Ids, statements: pa.Table) -> Touched:
        """What is touched, where these scripts are."""
        here = _of(self._new, "unit_id", "script_id", scripts)
        processes = _union(_of(statements, "process_id", "script_id", scripts), self._says.processes.of(here))
        related = _union(*(keys.processes.of(self._fresh) for keys in (self._said, self._says)))
        entities = _union(*(keys.entities.of(self._moved) for keys in (self._said, self._says)))
        relating, naming = self._says.processes.about(related), self._says.entities.about(entities)
        units = _union(here, self._says.processes.about(processes), naming)
        stay = ~np.isin(_ids(statements, "script_id"), scripts)
        elsewhere = statements.filter(pa.array(stay & np.isin(_ids(statements, "process_id"), processes)))
        return Touched(scripts, processes, related, entities, relating, naming, units, elsewhere)


def _said(before: Path, now: Path) -> RecordKeys:
    """What units said that say something else now, or nothing; a file that is still the same has none of them."""
    same = {path.stat().st_ino for path in now.glob("*.parquet")}
    return record_keys(path for path in sorted(before.glob("*.parquet")) if path.stat().st_ino not in same)


def _places(path: Path) -> pa.Table:
    return _table(path, ["script_id", "ordinal", "time", "unit_id", "first"])


def _table(path: Path, columns: list[str]) -> pa.Table:
    return ds.dataset(path, format="parquet").to_table(columns=columns)


def _ids(table: pa.Table, column: str) -> Ids:
    found: Ids = table.column(column).to_numpy()
    return found


def _of(table: pa.Table, wanted: str, known: str, ids: Ids) -> Ids:
    """The ids in one column beside those in another."""
    return np.unique(_ids(table, wanted)[np.isin(_ids(table, known), ids)])


def _differing(what: str, one: pa.Table, other: pa.Table) -> Ids:
    """The ids of rows that only one of two tables has."""
    mine, theirs = _hashed(one), _hashed(other)
    return _union(_ids(one, what)[~np.isin(mine, theirs)], _ids(other, what)[~np.isin(theirs, mine)])


def _hashed(table: pa.Table) -> Ids:
    """A hash of each row."""
    columns = (_ids(table, name).astype(np.int64) for name in table.column_names)
    return reduce(lambda found, column: mixed(found + column), columns, np.zeros(len(table), np.int64))


def _union(*ids: Ids) -> Ids:
    return np.unique(np.concatenate(ids))
