"""What has changed since the build before this one, by ids: the rows of the store's tables that are to be stitched anew.

A row is unchanged unless a script, a unit or the first place of a unit that has a say in it is new, gone or changed. Two unchanged units
are in the same order as before, because path, time, ordinal and script decide, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.pipeline.exchange import Exchange
from headwater.pipeline.extract.extracted import Extracted
from headwater.pipeline.ids import Ids, Only, is_among
from headwater.pipeline.incremental.memo import Memo
from headwater.pipeline.plan.units import Pieces, Units, mixed, unit_ids
from headwater.pipeline.stitch.parts import ELSEWHERE, Changed
from headwater.store.schema import STITCHED

MAX_CHANGED_SHARE = 0.2
"""The share of changed scripts from which on everything is stitched anew."""

_FIRST = ["unit_id", "first_script", "first_ordinal", "first_time"]


@dataclass(frozen=True, slots=True)
class Present:
    """What a build knows of its scripts and units."""

    scripts: pa.Table
    """Their ids and keys."""
    pieces: Pieces
    units: Units
    contested: Ids
    cut: Ids
    """The scripts that were cut in this build, sorted."""
    extracted: Extracted
    fresh: Ids
    """The units that were analysed in this build."""
    asked: pa.Table


def changes(exchange: Exchange, memo: Memo, now: Present) -> Changed | None:
    """What has changed since the build before; None if that is much."""
    asked = _differing("unit_id", *(each.select(["unit_id", "key"]) for each in (memo.asked, now.asked)))
    fresh = _union(now.fresh, asked)
    scripts = _scripts(memo, now, fresh)
    if len(scripts) >= MAX_CHANGED_SHARE * len(now.scripts):
        return None
    before, after = memo.extracted, now.extracted
    moved = _differing("unit_id", *(each.memo.table.select(_FIRST) for each in (before, after)))
    gone = np.setdiff1d(moved, now.units.ids)
    reanalysed, moved = _union(fresh, gone), _union(moved, fresh)
    here = _units_of(now, scripts)
    statements = exchange.kept(memo.snapshot, "statements", STITCHED["statements"].schema)
    placed = statements.table(ELSEWHERE.names)
    in_changed = is_among(scripts, placed.column("script_id").to_numpy())
    process = placed.column("process_id").to_numpy()
    processes = _union(process[in_changed], after.memo.spoken_of("process_id", here))
    elsewhere = placed.filter(pa.array(~in_changed & is_among(processes, process)))
    return Changed(
        scripts,
        processes,
        _union(*(each.memo.spoken_of("process_id", reanalysed) for each in (before, after))),
        _union(
            *(each.memo.spoken_of("entity_id", moved) for each in (before, after)),
            *(_entities_behind_stars(each, asked) for each in (memo.asked, now.asked)),
        ),
        here,
        elsewhere.cast(ELSEWHERE),
    )


def _entities_behind_stars(asked_of: pa.Table, units: Ids) -> Ids:
    """The entities whose columns were found behind the open stars and wildcards of some units."""
    rows = asked_of.filter(pa.array(is_among(units, asked_of.column("unit_id").to_numpy())))
    found: Ids = pc.list_flatten(rows.column("entities")).to_numpy()
    return found


def _scripts(memo: Memo, now: Present, fresh: Ids) -> Ids:
    """The scripts that are new, gone or changed, or whose statements are other units, or fresh ones."""
    keys = ["script_id", "script_key"]
    script = now.pieces.script
    cut_before = memo.cut_keys
    crashed = cut_before.filter(cut_before.column("crashed")).column("script_id").to_numpy()
    return _union(
        _differing("script_id", memo.scripts.table(keys), now.scripts.select(keys)),
        script[is_among(fresh, now.units.ids[now.units.of_piece])],
        _other_units(memo, now),
        crashed,
    )


def _other_units(memo: Memo, now: Present) -> Ids:
    """The scripts whose statements are other units than before.

    They were cut again; or they mention a name that is contested now and was not, or the other way round.
    """
    looked_at = now.cut
    flipped = np.setxor1d(memo.contested, now.contested)
    if len(flipped):
        texts = now.pieces.texts
        flips = texts.mentions.texts_with(is_among(flipped, texts.names))
        looked_at = _union(looked_at, now.pieces.script[flips[now.pieces.text]])
    if not len(looked_at):
        return looked_at
    cuts = memo.cuts_of(looked_at)
    old = cuts.table("pieces", Only.of("script_id", looked_at))
    columns = [old.column(name).to_numpy().astype(np.int64) for name in ("script_id", "ordinal")]
    names = cuts.table("names", Only.of("text_key", old.column("text_key").to_numpy()))
    then = pa.table([*columns, unit_ids(old, names, memo.contested)], ["script_id", "ordinal", "unit_id"])
    here = is_among(looked_at, now.pieces.script)
    units = now.units.ids[now.units.of_piece]
    current = pa.table([now.pieces.script[here], now.pieces.ordinal[here], units[here]], then.column_names)
    return _differing("script_id", then, current)


def _units_of(now: Present, scripts: Ids) -> Ids:
    return np.unique(now.units.ids[now.units.of_piece[is_among(scripts, now.pieces.script)]])


def _differing(what: str, one: pa.Table, other: pa.Table) -> Ids:
    """The ids of rows that only one of two tables has."""
    mine, theirs = _hashed(one), _hashed(other)
    ids = (table.column(what).to_numpy() for table in (one, other))
    return _union(next(ids)[~np.isin(mine, theirs)], next(ids)[~np.isin(theirs, mine)])


def _hashed(table: pa.Table) -> Ids:
    """A hash of each row."""
    found: Ids = np.zeros(len(table), np.int64)
    for name in table.column_names:
        found = mixed(found + table.column(name).to_numpy().astype(np.int64))
    return found


def _union(*ids: Ids) -> Ids:
    return np.unique(np.concatenate(ids))
