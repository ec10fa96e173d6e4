"""Procedural blocks: known by their place and name; their bodies are not analysed yet."""

from __future__ import annotations

from headwater.model.diagnostic import Code
from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.form import Routine


@resolves(Routine)
def routine(builder: Builder, form: Routine, environment: Environment) -> Outcome:
    """One diagnostic at the name, or at the block's first word."""
    if not form.name:
        builder.say(Code.UNSUPPORTED_STATEMENT, "what is inside the block is not analysed yet", form.place, "BEGIN")
        return Outcome("Block")
    message = f"the body of {form.kind} {form.name} is not analysed yet"
    builder.say(Code.UNSUPPORTED_STATEMENT, message, form.place, form.name)
    return Outcome(f"Create {form.kind.title()}")
