"""`tag-policy`: a tagged column reaches what the policy of the configuration file forbids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from headwater.check.finding import Finding, Where
from headwater.check.project import Project
from headwater.check.rule import Finder, Need, Rule
from headwater.model.diagnostic import Severity
from headwater.model.span import Position

if TYPE_CHECKING:
    from headwater.graph import Violation

RULE = Rule(
    "tag-policy",
    Severity.ERROR,
    "A column with a tag, such as personal data, reaches what the policy of the configuration file forbids.",
    Need.POLICY,
)


def _find(project: Project) -> Iterator[Finding]:
    stored = project.stored
    if stored is None or stored.governance is None:
        return
    found = list(stored.graph.tags(stored.governance).violations())
    makers = [each.hop.process.id if each.hop and each.hop.process else 0 for each in found]
    places = stored.places(set(makers) - {0})
    for each, maker in zip(found, makers, strict=True):
        yield _finding(each, places.get(maker))


def placed_finding(violation: Violation) -> Finding:
    """A violation as a finding, at the place of the expression that brings the tag there."""
    place = violation.hop.place if violation.hop else None
    return _finding(violation, Where(0, place.path, Position(place.line, place.column)) if place else None)


def _finding(violation: Violation, where: Where | None) -> Finding:
    found = violation.found
    way = " -> ".join([str(found.origin), *(str(hop.target) for hop in violation.path)])
    hint = f"mask it on the way {way}; forbidden by {violation.forbidden.place}"
    return Finding(RULE.name, RULE.severity, violation.message, f"{found.tag} {found.column}", where, hint)


FINDER = Finder((RULE,), _find)
