"""What a rule is, and what it needs to be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater.model.diagnostic import Code, Severity
from headwater.model.explanation import explanation
from headwater.model.string_enum import StrEnum

if TYPE_CHECKING:
    from headwater.check.finding import Finding
    from headwater.check.project import Project


class Need(StrEnum):
    """What a rule cannot do without; the value says it to the user."""

    SCRIPTS = "scripts"
    STORE = "it needs a store: headwater build, then --store"
    POLICY = "it needs a policy: policy in [tags] of the configuration file"
    EARLIER = "it needs an earlier state to compare with: --against"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its stable name, and how much its findings matter."""

    name: str
    severity: Severity
    told: str = ""
    """The sentence; empty for a diagnostic's rule, which has the diagnostic's own."""
    need: Need = Need.SCRIPTS

    @property
    def summary(self) -> str:
        """What it says in one sentence."""
        return self.told or explanation(Code(self.name)).summary


@dataclass(frozen=True, slots=True)
class Finder:
    """What finds the findings of one or several rules."""

    rules: tuple[Rule, ...]
    find: Callable[[Project], Iterator[Finding]]
