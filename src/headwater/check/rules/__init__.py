"""All rules, and who finds what they are about."""

from headwater.check.rule import Finder, Rule
from headwater.check.rules import (
    breaking_change,
    cyclic_definition,
    diagnostic,
    tag_policy,
    unknown_star,
    unused_column,
)
from headwater.check.rules.diagnostic import LOST_CODES
from headwater.check.rules.unused_suppression import UNUSED_SUPPRESSION

FINDERS: tuple[Finder, ...] = (
    diagnostic.FINDER,
    unknown_star.FINDER,
    unused_column.FINDER,
    cyclic_definition.FINDER,
    breaking_change.FINDER,
    tag_policy.FINDER,
)
RULES: dict[str, Rule] = {
    rule.name: rule for rule in (*(rule for finder in FINDERS for rule in finder.rules), UNUSED_SUPPRESSION)
}
NAMES: tuple[str, ...] = (*RULES, *LOST_CODES)
"""Everything that can be selected, ignored and suppressed."""

__all__ = ["FINDERS", "LOST_CODES", "NAMES", "RULES", "UNUSED_SUPPRESSION"]
