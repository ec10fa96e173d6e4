"""What the analysis says of scripts, as rules: one per code, but one for everything that loses a statement."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.check.finding import Finding
from headwater.check.project import Project, Said
from headwater.check.rule import Finder, Rule
from headwater.model.diagnostic import OF_PROJECTS, SEVERITY, Code, Severity

LOST_STATEMENT = Rule(
    "lost-statement",
    Severity.ERROR,
    "A statement, or a whole script, could not be analysed: its lineage is missing.",
)
_LOST = [code for code in Code if SEVERITY[code] is Severity.ERROR and code not in OF_PROJECTS]
LOST_CODES = tuple(code.value for code in _LOST)
"""The diagnostics behind `lost-statement`; each can be selected and suppressed by its own name too."""

_RULES = {code: LOST_STATEMENT if code in _LOST else Rule(code.value, SEVERITY[code]) for code in Code}


def _find(project: Project) -> Iterator[Finding]:
    return map(_finding, project.diagnostics())


def _finding(said: Said) -> Finding:
    rule = _RULES[said.code]
    return Finding(
        rule.name,
        rule.severity,
        said.message,
        said.subject,
        said.where,
        said.hint,
        said.code.value if rule is LOST_STATEMENT else "",
        (said.where.path, said.query_hash),
    )


FINDER = Finder(tuple(dict.fromkeys(_RULES.values())), _find)
