"""`breaking-change`: what the graph's comparison with an earlier state says breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from headwater.check.finding import Finding
from headwater.check.project import Project
from headwater.check.rule import Finder, Need, Rule
from headwater.model.diagnostic import Severity

if TYPE_CHECKING:
    from headwater.check.project import Stored
    from headwater.graph import Table
    from headwater.graph.diff import Difference

RULE = Rule(
    "breaking-change",
    Severity.ERROR,
    "Compared with an earlier state a table or column is gone, has another type, or gets no data or masked data.",
    Need.EARLIER,
)


def _find(project: Project) -> Iterator[Finding]:
    stored = project.stored
    if stored is None or stored.earlier is None:
        return
    broken = [each for each in stored.earlier.diff(stored.graph).differences if each.breaking]
    owners = [_owner(stored, each) for each in broken]
    makers = stored.makers()
    places = stored.places({makers[owner.id] for owner in owners if owner and owner.id in makers})
    for each, owner in zip(broken, owners, strict=True):
        where = places.get(makers.get(owner.id, 0)) if owner else None
        subject = f"{each.how} {each.what} {each.name}"
        yield Finding(RULE.name, RULE.severity, _message(each), subject, where)


def _message(each: Difference) -> str:
    change = f": {each.before} became {each.after}" if each.how == "changed" else ""
    place = f" (it was at {each.place})" if each.place and each.how == "removed" else ""
    return f"{each.what} {each.name}: {each.reason}{change}{place}"


def _owner(stored: Stored, each: Difference) -> Table | None:
    """The table that a difference is about, if it is still there: its definition is where it can be mended."""
    if each.what == "table":
        return _table(stored, each.name)
    column = each.name.partition(" <- ")[0]
    return _table(stored, column.rpartition(".")[0])


def _table(stored: Stored, name: str) -> Table | None:
    from headwater.graph import UnknownName

    try:
        found = stored.graph.table(name)
    except UnknownName:
        return None
    return found if found.name == name else None


FINDER = Finder((RULE,), _find)
