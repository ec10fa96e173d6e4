"""`current.json`: what tells that the newest manifest is missing, and which snapshots a repair has dropped.

A build writes it after it has published. If the build is killed in between, the file names an older snapshot; so it says only that there is
a snapshot with this number or a higher one.
"""

from __future__ import annotations

from dataclasses import dataclass

from headwater.storage import Storage
from headwater.store.checksum import Damaged, sealed, unsealed

KEY = "current.json"


@dataclass(frozen=True, slots=True)
class Current:
    """The number of the newest snapshot, at least; and the numbers of snapshots that are damaged and not used any more."""

    number: int = 0
    dropped: frozenset[int] = frozenset()


def read_current(storage: Storage) -> Current:
    """What the file says; a store of an earlier version has none. Raises `Damaged`."""
    try:
        content = storage.read(KEY)
    except FileNotFoundError:
        return Current()
    found = unsealed(content, must=True)
    try:
        return Current(int(found["number"]), frozenset(map(int, found["dropped"])))
    except (ValueError, KeyError, TypeError) as error:
        raise Damaged("is damaged: it does not name a snapshot") from error


def write_current(storage: Storage, current: Current) -> None:
    """Write the file, or replace it."""
    storage.write(KEY, sealed({"number": current.number, "dropped": sorted(current.dropped)}))
