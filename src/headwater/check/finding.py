"""A finding: what a rule has to say, about what, and where."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from headwater.model.diagnostic import Severity
from headwater.model.span import Position, Span


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a script of a project."""

    script: int
    """The script's key in its project."""
    path: str
    start: Position | None
    """None where something is said of the script as a whole."""
    end: Position | None = None
    """Just behind the place, if that is known."""
    span: Span | None = None
    """The same by offsets, if the script's text is there to be shown."""
    statement: int | None = None
    """The number of the statement in its script, from 0."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a rule found."""

    rule: str
    severity: Severity
    message: str
    subject: str
    where: Where | None = None
    hint: str = ""
    code: str = ""
    """The diagnostic behind it, where that is not the rule itself."""
    known_by: tuple[str, ...] = ()
    """What tells it from others of its rule and subject: its path and its statement's hash, never its line."""

    @property
    def start(self) -> Position | None:
        """Where its place begins, if it has one."""
        return self.where.start if self.where else None

    @property
    def names(self) -> frozenset[str]:
        """The names by which it is selected, ignored and suppressed."""
        return frozenset({self.rule, self.code} - {""})

    @property
    def fingerprint(self) -> str:
        """What stays the same when code is moved about."""
        parts = "\0".join((self.rule, self.code, self.subject, *self.known_by))
        return sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def order(self) -> tuple[str, Position, str, str]:
        """By place; what has none comes first."""
        path, start = (self.where.path, self.where.start) if self.where else ("", None)
        return path, start or Position(0, 0), self.rule, self.message
