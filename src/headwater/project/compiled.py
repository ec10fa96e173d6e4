"""A project as statements, in an order in which everything is defined before it is used; and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import TableName
from headwater.project.objects import Place, Project
from headwater.project.order import in_order
from headwater.project.statement import ProjectStatement
from headwater.project.statements import Statements


@dataclass(frozen=True, slots=True)
class Compiled:
    """A project's statements and problems."""

    project: Project
    statements: tuple[ProjectStatement, ...]
    problems: tuple[tuple[Diagnostic, Place], ...]
    """What is wrong beside what statements have remarks on."""


def compiled(project: Project) -> Compiled:
    """A project as statements."""
    statements = Statements(project)
    ordered, circles = in_order(list(statements.all()))
    places = {each.entity: each.place for each in reversed(ordered)}
    circular = ((_circular(circle), places[circle[0]]) for circle in circles)
    return Compiled(project, tuple(ordered), (*statements.problems(), *circular))


def _circular(circle: tuple[TableName, ...]) -> Diagnostic:
    names = " - ".join(".".join(table[1:]) for table in (*circle, circle[0]))
    message = f"these are made of each other: {names}"
    return Diagnostic(Code.CIRCULAR_REFERENCE, message, subject=".".join(circle[0]), hint="take one out of the circle")
