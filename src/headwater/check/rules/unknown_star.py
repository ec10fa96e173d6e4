"""`unknown-star`: a `*` over a table whose columns nobody knows, so that what nobody names has its lineage in one column `*`."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.check.finding import Finding
from headwater.check.project import Project
from headwater.check.rule import Finder, Rule
from headwater.model.diagnostic import Severity

RULE = Rule(
    "unknown-star",
    Severity.WARNING,
    "A `*` stands over a table whose columns nobody knows: what is read through it has only the columns that others name.",
)
_HINT = "list the columns, give a schema for the table, or read the script that creates it too"


def _find(project: Project) -> Iterator[Finding]:
    for star in project.stars():
        message = f"* reads {star.table}, whose columns nobody knows"
        known_by = (star.where.path, star.query_hash)
        yield Finding(RULE.name, RULE.severity, message, star.table, star.where, _HINT, known_by=known_by)


FINDER = Finder((RULE,), _find)
