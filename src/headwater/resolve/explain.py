"""EXPLAIN: shows a plan; EXPLAIN ANALYZE runs the statement."""

from __future__ import annotations

from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves, run
from headwater.sql.form import Explained


@resolves(Explained)
def explained(builder: Builder, form: Explained, environment: Environment) -> Outcome:
    """EXPLAIN moves no data, unless it runs the statement: then it is that statement."""
    return Outcome("Explain") if form.statement is None else run(builder, form.statement, environment)
