"""A statement to its resolutions: one, unless it is a program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from headwater.model.resolution import Resolution
from headwater.procedural.run import Run
from headwater.resolve import Session, resolve
from headwater.resolve.variable import Variables
from headwater.sql.dialect import Dialect
from headwater.sql.form import Routine
from headwater.sql.procedural.tree import Program
from headwater.sql.statement import Statement

OUTSIDE = "batchQueries"
"""The procedure of statements that stand in none."""


def resolutions(statement: Statement, session: Session) -> Iterable[tuple[Statement, Resolution]]:
    """The resolved relations of a statement; of a program, those of its own and of the statements inside."""
    own = resolve(statement, session)
    if not isinstance(statement.tree, Routine) or statement.tree.program is None:
        return ((statement, own),)
    found = [] if statement.tree.program.name is None and not own.diagnostics else [(statement, own)]
    found += _of_program(statement.tree.program, session, statement.dialect, (), None)
    return found or ((statement, own),)


def _of_program(
    program: Program, session: Session, dialect: Dialect, around: tuple[str, ...], outer: Variables | None
) -> Iterator[tuple[Statement, Resolution]]:
    name = (*around, *_name(program.name, session, dialect, bool(around)))
    procedure = ".".join(name) or OUTSIDE
    variables = Variables(dialect, procedure, outer)
    variables.labels.update(name[-1:])
    run = Run(session, dialect, procedure, variables)
    run.program(program)
    yield from run.resolutions()
    for inner, known in run.inner:
        yield from _of_program(inner, run.session, dialect, name, known)


def _name(node: Any, session: Session, dialect: Dialect, inside: bool) -> tuple[str, ...]:
    """A routine's qualified name; inside of a package or another routine it is qualified by that."""
    if node is None:
        return ()
    parts = tuple(dialect.table(part) for part in node.parts)
    default = session.default_schema
    if inside or not default or len(parts) > len(default):
        return parts
    return default[: len(default) + 1 - len(parts)] + parts
