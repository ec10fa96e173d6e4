"""The live catalog at a database's URL."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial

from headwater.catalog.database import Database
from headwater.catalog.failure import explained
from headwater.catalog.patient import patiently
from headwater.catalog.url import Address, address
from headwater.sql.dialect import Dialect, dialect

TIMEOUT = 60.0
"""Seconds for which a database may leave a statement without an answer."""


@dataclass(frozen=True, slots=True)
class LiveDatabase:
    """A database; answers as a `Live` catalog."""

    address: Address
    timeout: float = TIMEOUT
    """Seconds without an answer after which it is given up."""

    @classmethod
    def at(cls, url: str, timeout: float = TIMEOUT) -> LiveDatabase:
        """The database of a URL, which may name variables of the environment."""
        return cls(address(url), timeout)

    @property
    def place(self) -> str:
        """How it is shown: without user, password and options."""
        return self.address.place

    @property
    def key(self) -> str:
        """The name of its cache."""
        return self.address.key

    @property
    def dialect(self) -> Dialect:
        """The SQL that it speaks."""
        return dialect(self.address.platform.dialect)

    @property
    def system(self) -> tuple[str, ...]:
        """Patterns of the schemas that it keeps for itself."""
        return self.address.platform.system

    def connected(self) -> AbstractContextManager[Database]:
        """A connection."""
        from headwater.catalog.inspected import inspected

        return patiently(partial(inspected, self.address), self.place, self.timeout)

    def explained(self) -> AbstractContextManager[None]:
        """Makes errors of our own, without secrets, of whatever goes wrong."""
        return explained(self.address)
