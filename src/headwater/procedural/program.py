"""A statement to its resolutions: one, unless it is a program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import TableName
from headwater.model.relation import OUTSIDE
from headwater.model.resolution import Resolution, SqlFunction
from headwater.model.work import TooLarge
from headwater.procedural.around import Around
from headwater.procedural.defect import described
from headwater.procedural.package import is_specification, with_specification
from headwater.procedural.run import Run
from headwater.procedural.trigger import called_by_trigger
from headwater.resolve import Session, resolve
from headwater.resolve.variable import Variables
from headwater.sql.dialect import Dialect
from headwater.sql.form import Routine
from headwater.sql.procedural.tree import Program
from headwater.sql.statement import Statement

_MOST_PASSES = 4
"""Passes over routines that call themselves or each other; each but the last has found something new."""

Made = list[tuple[Statement, Resolution]]


def resolutions(statement: Statement, session: Session) -> Iterable[tuple[Statement, Resolution]]:
    """The resolved relations of a statement; of a program, those of its own and of the statements inside."""
    own = resolve(statement, session)
    if not isinstance(statement.tree, Routine) or statement.tree.program is None:
        return ((statement, own),)
    program = called_by_trigger(statement.tree.program, session, statement.dialect)
    try:
        made, functions = _of_program(program, session, statement, (), None, Around())
    except RecursionError:
        message = "the program is nested too deeply to be followed"
        return ((statement, _failed(own, Diagnostic(Code.TOO_DEEP, message, own.process.span))),)
    except MemoryError:
        message = "there is not enough memory to follow the program"
        return ((statement, _failed(own, Diagnostic(Code.OUT_OF_MEMORY, message, own.process.span))),)
    except (Exception, TooLarge) as error:  # noqa: BLE001 - the statement boundary: it costs its program, not the script
        return ((statement, _failed(own, described(error, own.process.span))),)
    if statement.tree.program.name is None and not own.diagnostics and made:
        return made
    kept = _kept(statement.tree.program, session, statement.dialect)
    return [(statement, own._replace(functions=(*own.functions, *functions), programs=kept)), *made]


def _failed(own: Resolution, problem: Diagnostic) -> Resolution:
    return own._replace(diagnostics=[*own.diagnostics, problem])


def _kept(program: Program, session: Session, dialect: Dialect) -> tuple[tuple[TableName, Program], ...]:
    """A program that others need whole: a package's specification, a function that triggers call."""
    if program.name is None or not (is_specification(program) or program.returns == "TRIGGER"):
        return ()
    return ((_name(program.name, session, dialect, False), program),)


def _of_program(
    program: Program, session: Session, statement: Statement, around: TableName, outer: Variables | None, shared: Around
) -> tuple[Made, list[SqlFunction]]:
    """The statements of a program and of the routines inside of it; and what calls of them mean."""
    dialect = statement.dialect
    name = (*around, *_name(program.name, session, dialect, bool(around)))
    procedure = ".".join(name) or OUTSIDE
    program = with_specification(program, name, session)
    functions: list[SqlFunction] = []
    made: Made = []
    text = statement.text.raw[slice(*statement.span)].lower()
    for _ in range(_MOST_PASSES):
        before, held = functions, shared.held
        variables = Variables(dialect, procedure, outer)
        variables.labels.update(name[-1:])
        variables.types = program.types
        run = Run(session, dialect, procedure, variables, shared, text)
        run.program(program)
        made = run.resolutions()
        functions = []
        for inner, known in run.inner:
            inside, theirs = _of_program(inner, run.session, statement, name, known, shared)
            made += inside
            functions += theirs
        if program.name is not None and program.kind in ("procedure", "function", "macro"):
            functions.append(run.function(program, name))
        settled = functions == before and (not run.inner or held.covers(shared.held))
        if not settled:
            session.define_functions(functions)
        if settled or not (run.inner or _may_call_itself(program, statement)):
            break
    return made, functions


def _may_call_itself(program: Program, statement: Statement) -> bool:
    """Whether a program's routines may call themselves or each other: their names stand in the text more than once."""
    if program.kind in ("package", "type") or program.name is None:
        return True
    name = program.name.name.lower()
    return bool(name) and statement.text.raw[slice(*statement.span)].lower().count(name) > 1


def _name(node: Any, session: Session, dialect: Dialect, inside: bool) -> tuple[str, ...]:
    """A routine's qualified name; inside of a package or another routine it is qualified by that."""
    if node is None:
        return ()
    parts = tuple(dialect.table(part) for part in node.parts)
    default = session.default_schema
    if inside or not default or len(parts) > len(default):
        return parts
    return default[: len(default) + 1 - len(parts)] + parts
