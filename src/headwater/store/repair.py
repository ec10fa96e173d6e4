"""Makes the last whole snapshot the current one. Nothing is removed: what is damaged is not used any more, and stays where it is."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import uuid4

from headwater.store import format_1
from headwater.store.current import KEY as CURRENT
from headwater.store.current import Current, write_current
from headwater.store.layout import MARKER, DamagedStore, Store, StoreError
from headwater.store.manifest import Manifest
from headwater.store.verify import Verified


@dataclass(frozen=True, slots=True)
class Repair:
    """What is to be done."""

    newest: Manifest
    """The last whole snapshot."""
    dropped: tuple[int, ...]
    """Snapshots that are not to be used any more."""
    rewritten: tuple[str, ...]
    """Files that say what the store is, and are written anew."""

    @property
    def is_needed(self) -> bool:
        """Whether there is something to do."""
        return bool(self.dropped or self.rewritten)


def planned_repair(store: Store, found: Verified) -> Repair:
    """What makes a store usable again. Raises `StoreError` if none of its snapshots is whole."""
    if store.format() == format_1.FORMAT:
        raise StoreError(f"{store.place} is a store of format 1, which cannot be repaired: build into a new folder")
    whole = [manifest for manifest in found.snapshots if manifest.number not in found.damaged_snapshots]
    if not whole:
        raise StoreError(f"{store.place} has no snapshot that is whole: build into a new folder")
    readable = {manifest.number for manifest in found.snapshots}
    newest = whole[-1]
    dropped = sorted(n for n in found.damaged_snapshots if n > newest.number or n not in readable)
    rewritten = [damage.key for damage in found.damages if damage.key in (MARKER, CURRENT)]
    return Repair(newest, tuple(dropped), tuple(rewritten))


def repair(store: Store, plan: Repair) -> None:
    """Do what is planned. The store changes when `current.json` is replaced."""
    try:
        before = store.current().dropped
    except DamagedStore:
        before = frozenset()
    write_current(store.storage, Current(plan.newest.number, before | {*plan.dropped}))
    if MARKER in plan.rewritten:
        store.mark(plan.newest.store or uuid4().hex)
