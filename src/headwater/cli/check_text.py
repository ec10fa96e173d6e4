"""Findings for people: each with its place, its source line and what to do; at the end, how many there were."""

from __future__ import annotations

from collections.abc import Iterator

import click

from headwater.check.finding import Finding
from headwater.check.rules import LOST_CODES, RULES
from headwater.check.run import Report
from headwater.cli.cells import visible
from headwater.cli.excerpt import excerpt_lines, gutter
from headwater.files import shown_name
from headwater.model.diagnostic import Severity

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}


def finding_lines(report: Report, brief: bool = False) -> Iterator[str]:
    """All findings; *brief* ones are one line each."""
    for finding in report.findings:
        yield _heading(finding)
        if not brief:
            yield from _details(report, finding)


def _heading(finding: Finding) -> str:
    where, colour = finding.where, _COLOURS[finding.severity]
    label = click.style(f"{finding.severity.value}[{finding.code or finding.rule}]", fg=colour, bold=True)
    place = f"{shown_path(where.path)}{f':{where.start}' if where.start else ''}: " if where else ""
    return f"{place}{label} {visible(finding.message)}"


def shown_path(path: str) -> str:
    """A path that any terminal can show."""
    return visible(shown_name(path))


def _details(report: Report, finding: Finding) -> Iterator[str]:
    where = finding.where
    script = report.texts.get(where.script) if where else None
    margin = " "
    if where is not None and script is not None:
        yield from excerpt_lines(script.shown, where.span, _COLOURS[finding.severity])
        margin = gutter(script.shown, where.span)
    if finding.hint:
        yield f"{margin} {click.style('=', fg='blue')} {click.style('hint', bold=True)}: {visible(finding.hint)}"


def summary_lines(report: Report) -> Iterator[str]:
    """How many findings there are, what was left out, and what was not checked."""
    counts = [_counted(n, severity.value) for severity in Severity if (n := report.count(severity))]
    beside = [f"{len(report.known)} known"] if report.known else []
    beside += [f"{report.suppressed} suppressed"] if report.suppressed else []
    beside += [f"{report.fixed} of the baseline fixed"] if report.fixed else []
    yield ", ".join(counts or ["no findings"]) + (f" ({', '.join(beside)})" if beside else "")
    for reason in dict.fromkeys(each.reason for each in report.skipped):
        names = ", ".join(each.rule for each in report.skipped if each.reason == reason)
        yield f"not checked: {names}; {reason}"


def rule_lines() -> Iterator[str]:
    """All rules, with their severities and what they say."""
    margin = max(map(len, RULES))
    for rule in RULES.values():
        name = click.style(f"{rule.name:<{margin}}", bold=True)
        yield f"{name}  {rule.severity.value:<7}  {rule.summary.replace('`', '')}"
    yield f"lost-statement is also known as: {', '.join(LOST_CODES)}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
