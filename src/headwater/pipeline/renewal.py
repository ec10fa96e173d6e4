"""A build upon another one: what is touched is stitched anew, and put together with the rows of the build before that stand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from headwater.pipeline.part_files import PartFiles
from headwater.pipeline.standing_files import Standing, but, put_together
from headwater.pipeline.touched import Remembered, Touched, touched
from headwater.pipeline.touched_files import write_touched
from headwater.pipeline.units import Ids
from headwater.store import Snapshot
from headwater.store.schema import TABLES

CUTS = "cuts"
"""The folder of a snapshot with what is kept of cut scripts."""
KEYS = "script_keys.parquet"
"""The file of a snapshot with what is known of its scripts, but their texts."""
STAMPED = "stamps.parquet"
"""The file of a snapshot with the stamps of its sources."""
PLACES = "places.parquet"
"""The file of a snapshot with the places of units."""
BEHIND_STARS = "behind_stars"
"""The folder of a snapshot with the records of columns behind open stars."""
ASKED = "asked.parquet"
"""The file of a snapshot that tells, of each unit with such records, what it was asked for."""
_FEW = 5_000
"""Rows that are not worth a file."""


def remembered(snapshot: Path) -> Remembered:
    """What a snapshot keeps of its scripts and units."""
    return Remembered(snapshot / KEYS, snapshot / PLACES, snapshot / "records", snapshot / ASKED)


def cuts_of(snapshot: Snapshot) -> Path | None:
    """What a snapshot keeps of its cut scripts, if it has it."""
    return snapshot.path / CUTS if remembered(snapshot.path).is_there else None


@dataclass(frozen=True, slots=True)
class Renewal:
    """What is touched between a snapshot and a build under way."""

    before: Snapshot
    touched: Touched

    @classmethod
    def of(cls, before: Snapshot, now: Remembered, fresh: Ids) -> Renewal | None:
        """The renewal of a snapshot; None if there is too little to build upon, or too much to do anew."""
        then = remembered(before.path)
        if not then.is_there:
            return None
        found = touched(then, now, before.table("statements", ["process_id", "script_id"]), fresh)
        return cls(before, found) if found is not None else None

    def narrowed(self, parts: PartFiles, folder: Path) -> tuple[PartFiles, set[str]]:
        """Of what there is to stitch, what speaks of touched things; and the names of what is empty then."""
        narrow = PartFiles.below(folder)
        told = write_touched(parts, self.touched, narrow)
        idle = {name for name, (_, ids) in self._keys().items() if not len(ids)}
        idle |= {"relations", "definitions"} - told
        return narrow, idle if told & {"diagnostics", "remarks"} else idle | {"diagnostics"}

    def put_together(self, anew: Path, target: Path) -> None:
        """Make the folders of a snapshot: what was stitched *anew*, and what stands."""
        for name, (key, ids) in self._keys().items():
            standing = Standing(TABLES[name].schema, key, but(ids), _FEW)
            put_together(anew / name, self.before.path / name, standing, target / name)

    def _keys(self) -> dict[str, tuple[str, Ids]]:
        """By which of their columns the rows of each table are touched, and the ids."""
        touched = self.touched
        return {
            **dict.fromkeys(("scripts", "statements", "diagnostics"), ("script_id", touched.scripts)),
            "processes": ("process_id", touched.processes),
            "relations": ("process_id", touched.related),
            **dict.fromkeys(("entities", "columns"), ("entity_id", touched.entities)),
        }
