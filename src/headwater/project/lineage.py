"""The lineage of a project, in this process: every object resolved, in an order in which definitions come first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from headwater.budget import Budget, Resolved
from headwater.catalog import Catalog
from headwater.lineage.asked import with_asked_columns
from headwater.lineage.lineage import Lineage, StatementLineage
from headwater.model.diagnostic import Diagnostic
from headwater.project.compiled import Compiled, compiled
from headwater.project.known_tables import known_tables
from headwater.project.objects import Place, Project
from headwater.project.resolved import resolve_statement
from headwater.project.statement import ProjectStatement
from headwater.resolve import Session

_Made = tuple[ProjectStatement, tuple[Resolved, ...]]


@dataclass(frozen=True)
class ProjectLineage:
    """A project's statements, each with what it resolves to."""

    compiled: Compiled
    statements: tuple[_Made, ...]

    @cached_property
    def lineage(self) -> Lineage:
        """All of it, as the lineage of one script."""
        return Lineage([StatementLineage(*each) for _, made in self.statements for each in made], "")

    def diagnostics(self) -> Iterator[tuple[Diagnostic, Place]]:
        """What is wrong, and where."""
        yield from self.compiled.problems
        for statement, made in self.statements:
            yield from statement.remarks
            said = {remark for remark, _ in statement.remarks}
            found = (diagnostic for one in made for diagnostic in one.resolution.diagnostics)
            yield from ((each, statement.place_of(each.span)) for each in found if each not in said)


def project_lineage(project: Project, catalog: Catalog | None = None, budget: Budget | None = None) -> ProjectLineage:
    """The lineage of a project; *catalog* tells of tables that the project's files do not."""
    found = compiled(project)
    kinds = {each.entity: each.kind for each in found.statements}
    known = known_tables(project)
    session = Session(known if catalog is None else catalog.over(known))
    made: list[_Made] = []
    for statement in found.statements:
        resolved = tuple(resolve_statement(statement, session, budget or Budget(), kinds))
        for each in resolved:
            session = session.after(each.resolution)
        made.append((statement, resolved))
    return ProjectLineage(found, tuple(_with_asked(made)))


def _with_asked(made: list[_Made]) -> Iterator[_Made]:
    """The statements with the columns that they ask of each other."""
    asked = iter(with_asked_columns([each.resolution for _, resolved in made for each in resolved]))
    for statement, resolved in made:
        yield statement, tuple(each._replace(resolution=next(asked)) for each in resolved)
