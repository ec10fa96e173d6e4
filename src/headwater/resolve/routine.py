"""Procedural blocks and what procedures give: known by place and name; bodies are not analysed yet."""

from __future__ import annotations

from headwater.model.diagnostic import Code
from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.form import Routine, RowsOfProcedure


@resolves(Routine)
def routine(builder: Builder, form: Routine, environment: Environment) -> Outcome:
    """One diagnostic at the name, or at the block's first word."""
    if not form.name:
        builder.say(Code.UNSUPPORTED_STATEMENT, "what is inside the block is not analysed yet", form.place, "BEGIN")
        return Outcome("Block")
    message = f"the body of {form.kind} {form.name} is not analysed yet"
    builder.say(Code.UNSUPPORTED_STATEMENT, message, form.place, form.name)
    return Outcome(f"Create {form.kind.title()}")


@resolves(RowsOfProcedure)
def rows_of_procedure(builder: Builder, form: RowsOfProcedure, environment: Environment) -> Outcome:
    """The table is written; by which columns, only the procedure's body would tell."""
    builder.writes(builder.table(form.target))
    name = ".".join(builder.table_name(form.procedure))
    message = f"what procedure {name} gives is not known, so the columns written have no sources"
    builder.say(Code.UNSUPPORTED_STATEMENT, message, form.procedure, name)
    return Outcome("Insert")
