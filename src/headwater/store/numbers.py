"""The numbers of a store's snapshots: which can be used, which are missing, and which is the next. No clock has a part in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from headwater.storage.disk import RESERVED
from headwater.store.current import Current
from headwater.store.manifest import manifest_number


@dataclass(frozen=True, slots=True)
class Numbers:
    """What the list of manifests and `current.json` say together."""

    listed: tuple[int, ...]
    """The manifests that are there, sorted."""
    reserved: frozenset[int]
    """Numbers that a build has reserved on a disk without hard links; it published nothing if it died then."""
    current: Current

    @classmethod
    def of(cls, keys: Iterable[str], current: Current) -> Numbers:
        """The numbers of the manifests at some keys."""
        found = [(manifest_number(key.removesuffix(RESERVED)), key.endswith(RESERVED)) for key in keys]
        listed = sorted(number for number, reserved in found if number is not None and not reserved)
        return cls(tuple(listed), frozenset(number for number, reserved in found if number and reserved), current)

    @property
    def usable(self) -> list[int]:
        """The snapshots that a repair has not dropped, oldest first."""
        return [number for number in self.listed if number not in self.current.dropped]

    @property
    def next(self) -> int:
        """The number of the next snapshot: none is used twice, even if a snapshot is damaged."""
        return max((0, self.current.number, *self.listed, *self.reserved, *self.current.dropped)) + 1

    @property
    def missing(self) -> set[int]:
        """Numbers between the oldest and the newest snapshot whose manifests are missing for no reason that the store knows."""
        newest = max((self.current.number, *self.listed))
        every = range(min(self.listed, default=newest), newest + 1)
        return {number for number in every if number} - {*self.listed, *self.reserved, *self.current.dropped}

    @property
    def is_newest_missing(self) -> bool:
        """Whether the newest snapshot has no manifest."""
        return any(number > max(self.listed, default=0) for number in self.missing)

    @property
    def has_lost(self) -> bool:
        """Whether a manifest is missing that had not become old enough to be removed."""
        oldest = min(self.listed, default=0)
        return any(number > oldest and number not in self.listed for number in self.current.dropped) or bool(
            self.missing
        )
