"""`GivenDialect`: the dialect that somebody names for projects whose own files do not say, or say otherwise."""

from __future__ import annotations

from typing import NamedTuple


class GivenDialect(NamedTuple):
    """A dialect, and who names it: an option, or a file of settings."""

    name: str
    told_by: str = "as asked"

    @classmethod
    def of(cls, given: str | GivenDialect | None) -> GivenDialect | None:
        """A dialect that was named, in either form."""
        return cls(given) if isinstance(given, str) else given
