"""Diagnostics for people: each with its place, its source line and what to do; at the end, how many there were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

import click

from headwater.cli.cells import visible
from headwater.cli.excerpt import excerpt_lines, gutter
from headwater.cli.text import place
from headwater.lineage.lineage import Lineage
from headwater.model.diagnostic import SEVERITY, Code, Diagnostic, Severity

FAIL_ON = {
    "error": frozenset({Severity.ERROR}),
    "warning": frozenset({Severity.ERROR, Severity.WARNING}),
    "never": frozenset[Severity](),
}
"""Which diagnostics are findings, that is, end the command with exit code 1."""

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}


def diagnostic_lines(lineage: Lineage, brief: bool = False) -> Iterator[str]:
    """The diagnostics of a script; *brief* ones are one line each, without source."""
    for diagnostic in lineage.diagnostics:
        kind = label(diagnostic.severity, diagnostic.code.value)
        yield f"{visible(place(lineage, diagnostic.span))}: {kind} {visible(diagnostic.message)}"
        if not brief:
            yield from excerpt_lines(lineage, diagnostic.span, _COLOURS[diagnostic.severity])
            yield from _hint_lines(lineage, diagnostic)


def label(severity: Severity, code: str) -> str:
    """A diagnostic's severity and code, in the severity's colour."""
    return click.style(f"{severity.value}[{code}]", fg=_COLOURS[severity], bold=True)


def _hint_lines(lineage: Lineage, diagnostic: Diagnostic) -> Iterator[str]:
    if diagnostic.hint:
        sign, word = click.style("=", fg="blue"), click.style("hint", bold=True)
        yield f"{gutter(lineage, diagnostic.span)} {sign} {word}: {visible(diagnostic.hint)}"


class Tally:
    """How many diagnostics of each code there were, and in how many scripts."""

    def __init__(self) -> None:
        self._codes: Counter[Code] = Counter()
        self._scripts: set[str | None] = set()
        self._concerned: set[str | None] = set()
        self.statements = 0

    @property
    def syntax_errors(self) -> int:
        """How many statements no grammar took."""
        return self._codes[Code.SYNTAX_ERROR]

    def add(self, lineage: Lineage) -> None:
        """Count a script's diagnostics."""
        self._scripts.add(lineage.path)
        self.statements += len(lineage.statements)
        if lineage.diagnostics:
            self._concerned.add(lineage.path)
            self._codes.update(d.code for d in lineage.diagnostics)

    def has(self, severities: Collection[Severity]) -> bool:
        """Whether there was a diagnostic of one of these severities."""
        return any(SEVERITY[code] in severities for code in self._codes)

    def summary_lines(self) -> Iterator[str]:
        """One line: `3 errors, 2 warnings in 4 of 120 scripts`; none if there was nothing."""
        if not self._codes:
            return
        counts = [f"{_counted(n, s.value)}" for s in Severity if (n := self._of(s))]
        of = f"{len(self._concerned)} of " if len(self._concerned) < len(self._scripts) else ""
        scripts = _counted(len(self._scripts), "script")
        yield f"{', '.join(counts)} in {of}{scripts}; headwater explain CODE tells more"

    def statistics_lines(self) -> Iterator[str]:
        """One line per code, the most frequent first."""
        margin = len(str(max(self._codes.values(), default=0)))
        for code, count in sorted(self._codes.items(), key=lambda item: (-item[1], item[0].value)):
            severity = SEVERITY[code]
            yield f"{count:>{margin}}  {click.style(f'{severity.value:<7}', fg=_COLOURS[severity])}  {code.value}"

    def _of(self, severity: Severity) -> int:
        return sum(count for code, count in self._codes.items() if SEVERITY[code] is severity)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
