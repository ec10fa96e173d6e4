"""Programs as statements of their own, and what procedures give; what is inside of a program is resolved by `procedural`."""

from __future__ import annotations

from headwater.model.diagnostic import Code
from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.form import Routine, RowsOfProcedure


@resolves(Routine)
def routine(builder: Builder, form: Routine, environment: Environment) -> Outcome:
    """`CREATE PROCEDURE p …`: what was said while it was read, and why its body is not looked into."""
    program = form.program
    builder.diagnostics.extend(program.diagnostics)
    if program.opaque:
        message = f"the body of {form.kind} {form.name} is not looked into: {program.opaque}"
        builder.say(Code.UNSUPPORTED_STATEMENT, message, form.place, form.name)
    return Outcome(f"Create {form.kind.title()}" if form.name else "Block")


@resolves(RowsOfProcedure)
def rows_of_procedure(builder: Builder, form: RowsOfProcedure, environment: Environment) -> Outcome:
    """The table is written; by which columns, only the procedure's body would tell."""
    builder.writes(builder.table(form.target))
    name = ".".join(builder.table_name(form.procedure))
    message = f"what procedure {name} gives is not known, so the columns written have no sources"
    builder.say(Code.UNSUPPORTED_STATEMENT, message, form.procedure, name)
    return Outcome("Insert")
