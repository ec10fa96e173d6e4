"""Statements that run later under a name: CREATE TASK, CREATE PIPE, CREATE EVENT. What they will do is their lineage."""

from __future__ import annotations

from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves, run
from headwater.sql.form import Scheduled


@resolves(Scheduled)
def scheduled(builder: Builder, form: Scheduled, environment: Environment) -> Outcome:
    """The statement inside; nothing that it defines is there yet."""
    outcome = run(builder, form.statement, environment)
    builder.defines.clear()
    builder.replaced.clear()
    builder.default_schema = None
    return Outcome(form.type, None, outcome.effect)
