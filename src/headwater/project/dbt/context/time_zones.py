"""`pytz`, as far as templates use it: every zone is UTC, since the clock stands still."""

from __future__ import annotations

import datetime
import zoneinfo
from types import SimpleNamespace
from typing import Any


class Zone(datetime.tzinfo):
    """A time zone by its name, without any offset."""

    def __init__(self, zone: str = "UTC") -> None:
        self.zone = zone

    def utcoffset(self, moment: Any) -> datetime.timedelta:
        """None at all."""
        return datetime.timedelta(0)

    dst = utcoffset

    def tzname(self, moment: Any) -> str:
        """Its name."""
        return self.zone

    def localize(self, moment: Any, is_dst: object = False) -> Any:
        """A time, in this zone."""
        return moment.replace(tzinfo=self)

    normalize = localize

    def __str__(self) -> str:
        return self.zone

    def __deepcopy__(self, memory: object) -> Zone:
        return self


def time_zones() -> SimpleNamespace:
    """The module that templates see."""
    names = sorted(zoneinfo.available_timezones()) or ["UTC"]
    utc = Zone()
    return SimpleNamespace(
        timezone=lambda name="UTC": Zone(str(name)),
        utc=utc,
        UTC=utc,
        all_timezones=names,
        common_timezones=names,
        all_timezones_set=frozenset(names),
        common_timezones_set=frozenset(names),
        FixedOffset=lambda minutes=0: utc,
    )
