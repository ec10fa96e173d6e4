"""What can be said about tags: who has them, what masking does to them, where they must not get.

A tag is a word such as `pii`. Behind a function that hides the value it goes on as `pii:masked`, unless its `Handling` says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from headwater.model.entity import EntityKind
from headwater.model.string_enum import StrEnum

MASKED = ":masked"
"""What a downgraded tag ends in."""
ANY = "*"
"""The tag whose handling is that of all tags without one of their own."""
KINDS = tuple(kind.value for kind in EntityKind if kind not in (EntityKind.FUNCTION, EntityKind.LITERAL))
"""Kinds of entities that a policy may name."""


class Treatment(StrEnum):
    """What becomes of a tag on its way."""

    KEEP = "keep"
    DOWNGRADE = "downgrade"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Handling:
    """What becomes of a tag where a value is hidden, and where many values become one."""

    masked: Treatment = Treatment.DOWNGRADE
    aggregated: Treatment = Treatment.KEEP


@dataclass(frozen=True, slots=True)
class Rule:
    """A tag, and a pattern that says which columns it is about."""

    tag: str
    pattern: str
    place: str
    """Where it is said: `file:line`."""


@dataclass(frozen=True, slots=True)
class Forbidden:
    """Tags, and what they must not reach."""

    tags: tuple[str, ...]
    kinds: tuple[str, ...]
    """Kinds of entities that must not be reached: `dashboard`, `exposure`."""
    patterns: tuple[Rule, ...]
    """Columns and tables that must not be reached."""
    excepted: tuple[Rule, ...]
    """Columns and tables that may."""
    reason: str
    place: str


@dataclass(frozen=True, slots=True)
class Governance:
    """All that is said about tags."""

    columns: tuple[Rule, ...] = ()
    """Patterns of whole names of columns."""
    names: tuple[Rule, ...] = ()
    """Patterns of bare names of columns; a regular expression between slashes."""
    cleared: tuple[Rule, ...] = ()
    """Columns at which a tag ends, whatever flows into them."""
    handling: Mapping[str, Handling] = field(default_factory=dict)
    forbidden: tuple[Forbidden, ...] = ()

    def and_(self, other: Governance) -> Governance:
        """Both together; where they handle the same tag, the other one counts."""
        return Governance(
            self.columns + other.columns,
            self.names + other.names,
            self.cleared + other.cleared,
            {**self.handling, **other.handling},
            self.forbidden + other.forbidden,
        )

    def handling_of(self, tag: str) -> Handling:
        """How a tag is handled."""
        return self.handling.get(tag) or self.handling.get(ANY) or Handling()


def plain(tag: str) -> tuple[str, bool]:
    """A tag without the mark of a downgraded one, and whether it had that.

    >>> plain("pii:masked")
    ('pii', True)
    """
    return tag.removesuffix(MASKED), tag.endswith(MASKED)


def expression_of(pattern: str) -> str | None:
    """The regular expression that stands between slashes; None for a pattern with `*` and `?`.

    >>> expression_of("/^e?mail$/")
    '^e?mail$'
    """
    return pattern[1:-1] if len(pattern) > 2 and pattern.startswith("/") and pattern.endswith("/") else None
