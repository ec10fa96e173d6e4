"""`unused-column`: a column of a table that the corpus makes, which nobody reads; only a graph knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from headwater.check.finding import Finding, Where
from headwater.check.project import Project
from headwater.check.rule import Finder, Need, Rule
from headwater.model.diagnostic import Severity

if TYPE_CHECKING:
    from headwater.check.project import Stored
    from headwater.graph.unused import Unused

RULE = Rule(
    "unused-column",
    Severity.INFO,
    "A column is made, its table is read, but nobody reads the column, or only a `*` that leads nowhere.",
    Need.STORE,
)


def _find(project: Project) -> Iterator[Finding]:
    stored = project.stored
    if stored is None:
        return
    found = [each for each in stored.graph.unused().certain if not each.copy_read]
    places = _places(stored, found)
    for each in found:
        where = places.get(each.column.table.id)
        if where is not None:
            yield _finding(each, where)


def _finding(each: Unused, where: Where) -> Finding:
    message = f"nobody reads {each.column}"
    if each.use == "star":
        message = f"{each.column} is read through * only, and nobody reads it behind that"
    known_by = (where.path,) if each.column.table.temporary else ()
    return Finding(RULE.name, RULE.severity, message, str(each.column), where, known_by=known_by)


def _places(stored: Stored, found: list[Unused]) -> dict[int, Where]:
    """Where the tables of columns are made; one that the corpus does not make is not its to mend."""
    makers = dict(stored.makers())
    for table in {each.column.table for each in found if each.column.table.id not in makers}:
        hops = stored.graph.upstream(table, depth=1, level="table").table_hops()
        written = [hop.process.id for hop in hops if hop.process and hop.target == table]
        if written:
            makers[table.id] = written[0]
    tables = {each.column.table.id for each in found} & makers.keys()
    places = stored.places({makers[table] for table in tables})
    return {table: places[makers[table]] for table in tables if makers[table] in places}


FINDER = Finder((RULE,), _find)
