"""Programs as statements of their own; what is inside of a program is resolved by `procedural`."""

from __future__ import annotations

from headwater.model.diagnostic import Code
from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.form import Routine


@resolves(Routine)
def routine(builder: Builder, form: Routine, environment: Environment) -> Outcome:
    """`CREATE PROCEDURE p …`: what was said while it was read, and why its body is not looked into."""
    program = form.program
    builder.diagnostics.extend(program.diagnostics)
    if program.opaque:
        message = f"the body of {form.kind} {form.name} is not looked into: {program.opaque}"
        builder.say(Code.UNSUPPORTED_STATEMENT, message, form.place, form.name)
    return Outcome(f"Create {form.kind.title()}" if form.name else "Block")
