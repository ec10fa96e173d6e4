"""Which findings are wanted: rules that are selected and not ignored, in all scripts or in those of a path."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from headwater.check.finding import Finding
from headwater.check.rule import Rule
from headwater.check.rules import LOST_CODES, RULES
from headwater.check.rules.diagnostic import LOST_STATEMENT

IgnoredIn = Callable[[str], Collection[str]]
"""What is ignored in the script of a path."""


def _nothing(path: str) -> Collection[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Selection:
    """Names of rules; none selected means all."""

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    ignored_in: IgnoredIn = _nothing

    def asks(self, rule: Rule) -> bool:
        """Whether any finding of a rule could be wanted."""
        names = {rule.name, *(LOST_CODES if rule is LOST_STATEMENT else ())}
        return rule.name not in self.ignore and (not self.select or not names.isdisjoint(self.select))

    def wants(self, finding: Finding) -> bool:
        """Whether a finding is wanted."""
        return self.admits(finding.names, finding.where.path if finding.where else None)

    def admits(self, names: frozenset[str], path: str | None) -> bool:
        """Whether what goes by these names is wanted in the script of a path."""
        ignored = self.ignore | set(self.ignored_in(path) if path is not None else ())
        return (not self.select or not names.isdisjoint(self.select)) and names.isdisjoint(ignored)

    def rules(self) -> list[Rule]:
        """The rules that are asked."""
        return [rule for rule in RULES.values() if self.asks(rule)]
