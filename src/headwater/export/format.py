"""What a format is: a name, what it is good for, and a function that writes a feed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, NamedTuple

from headwater.export.feed import LEVELS, Feed, Level


class Output:
    """Where a format writes to; and what it could not express, which it says here instead of dropping it unsaid."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self._left_out: Counter[str] = Counter()

    def write(self, text: str) -> None:
        """Write text."""
        self.stream.write(text.encode("utf-8", "replace"))

    def leave_out(self, what: str, count: int = 1) -> None:
        """Say that something could not be expressed: `relations of row sets`."""
        self._left_out[what] += count

    def left_out(self) -> Iterator[str]:
        """What was left out, in words."""
        return (f"{count} {what}" for what, count in sorted(self._left_out.items()) if count)


@dataclass(frozen=True, slots=True)
class Choices:
    """What a user can choose about formats; each takes what concerns it."""

    cluster: str | None = None
    """The name behind the `@` of qualified names."""
    namespace: str | None = None
    """Where data sets live, in OpenLineage's sense."""
    result_sets: bool = False
    """Result sets as tables of their own, in the exchange CSVs."""
    safe_cells: bool = True
    """Cells that a spreadsheet would take for a formula are made plain text."""
    time: str | None = None
    """When everything is said to have happened, in ISO 8601, in formats that ask."""
    prune: bool = False
    """What earlier exports of the cluster wrote into a database and this one does not have is deleted there."""


class ExportError(Exception):
    """Why an export cannot be made, and what to do."""


class Format(NamedTuple):
    """A format, by the name under which it is asked for."""

    name: str
    summary: str
    write: Callable[[Feed, Output, Choices], None] | None
    """Writes a feed as a file; None for what only goes elsewhere, and for tables."""
    send: Callable[[Feed, str, Choices], str] | None = None
    """Sends a feed to a database or server, by its URL; gives what was done, in words without secrets."""
    levels: tuple[Level, ...] = LEVELS
    level: Level = "column"
    """Which level it has if nobody says."""
    is_lakehouse: bool = False
    """Whether it is a set of tables, which `headwater.lakehouse` writes from a store's snapshot."""

    @property
    def elsewhere(self) -> str:
        """What to do where only a file can be made, in words, for a format that is none."""
        if self.is_lakehouse:
            return "is made of a store: use `headwater export STORE -o FOLDER`"
        return "goes to a database or server: use `headwater export --to URL`"

    def checked(self, level: Level | None) -> Level:
        """The level in which it is written; refuses one that it does not have."""
        if level is not None and level not in self.levels:
            raise ExportError(f"{self.name} has the level {' or '.join(self.levels)}, not {level}")
        return level or self.level
