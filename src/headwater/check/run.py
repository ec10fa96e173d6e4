"""A check: a project and what is wanted in, a report out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from headwater.check.baseline import Baseline, Known, Looked
from headwater.check.finding import Finding
from headwater.check.project import Project, ScriptText
from headwater.check.rule import Need, Rule
from headwater.check.rules import FINDERS, LOST_CODES, RULES, UNUSED_SUPPRESSION
from headwater.check.rules.diagnostic import LOST_STATEMENT
from headwater.check.selection import Selection
from headwater.check.suppression import MARK, Suppressions, suppressions
from headwater.model.diagnostic import Severity

Concerns = Callable[[str], bool]
"""Whether the script of a path is to be checked."""
_OPTIONAL = (Need.EARLIER, Need.POLICY)
"""What many a check does without."""
_ORDER = (Severity.INFO, Severity.WARNING, Severity.ERROR)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A rule that was wanted and could not be asked, and why."""

    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found."""

    findings: tuple[Finding, ...]
    """In order of their places."""
    texts: Mapping[int, ScriptText]
    suppressed: int
    skipped: tuple[Skipped, ...]
    looked: Looked
    """What of a baseline was looked for."""
    known: tuple[Finding, ...] = ()
    """Findings that a baseline knows."""
    fixed: int = 0
    """How many findings the baseline knows that are no longer there."""

    def beyond(self, baseline: Baseline) -> tuple[Report, Baseline]:
        """The report without what a baseline knows; and what is left of the baseline."""
        compared = baseline.compared(self.findings, self.looked)
        report = replace(self, findings=compared.new, known=compared.known, fixed=compared.fixed)
        return report, compared.still

    def count(self, severity: Severity) -> int:
        """How many findings of a severity there are."""
        return sum(finding.severity is severity for finding in self.findings)

    def fails(self, least: Severity) -> bool:
        """Whether there is a finding of at least a severity."""
        return any(_ORDER.index(finding.severity) >= _ORDER.index(least) for finding in self.findings)


def check(project: Project, selection: Selection, concerns: Concerns = lambda path: True) -> Report:
    """Ask all rules that are wanted."""
    asked = [rule for rule in selection.rules() if _can_be_asked(rule, project)]
    found = [each for each in _found(project, asked) if each.where is None or concerns(each.where.path)]
    texts = project.texts({each.where.script for each in found if each.where}, MARK)
    comments = Suppressions(
        [each for key, text in texts.items() if concerns(text.path) for each in suppressions(key, text)]
    )
    left = [each for each in found if not comments.suppress(each)]
    suppressed = sum(map(selection.wants, found)) - sum(map(selection.wants, left))
    if selection.asks(UNUSED_SUPPRESSION):
        left += comments.unused(*_judged(asked, selection))
    wanted = sorted(filter(selection.wants, left), key=Finding.order)
    names = {rule.name for rule in asked}

    def looked(known: Known) -> bool:
        seen = known.path is None or concerns(known.path)
        return known.rule in names and seen and selection.admits(known.names, known.path)

    return Report(tuple(wanted), texts, suppressed, tuple(_skipped(project, selection)), looked)


def _found(project: Project, asked: list[Rule]) -> Iterator[Finding]:
    names = {rule.name for rule in asked}
    for finder in FINDERS:
        if any(rule in asked for rule in finder.rules):
            yield from (finding for finding in finder.find(project) if finding.rule in names)


def _can_be_asked(rule: Rule, project: Project) -> bool:
    if rule.need is Need.STORE:
        return project.stored is not None
    if rule.need is Need.POLICY:
        return project.stored is not None and project.stored.governance is not None
    if rule.need is Need.EARLIER:
        return project.stored is not None and project.stored.earlier is not None
    return True


def _judged(asked: list[Rule], selection: Selection) -> tuple[set[str], bool]:
    """The names whose suppressions can be judged, and whether a comment without names can: a rule not asked might need it."""
    names = {rule.name for rule in asked} | set(LOST_CODES if LOST_STATEMENT in asked else ())
    usual = {rule.name for rule in RULES.values() if rule.need not in _OPTIONAL}
    return names, usual <= names and not selection.select


def _skipped(project: Project, selection: Selection) -> Iterator[Skipped]:
    for rule in selection.rules():
        if rule.need is Need.POLICY and rule.name not in selection.select:
            continue  # who has no policy wants none
        if not _can_be_asked(rule, project):
            need = Need.STORE if project.stored is None else rule.need
            yield Skipped(rule.name, need.value)
