"""LOG ERRORS: the rows that a statement cannot write go to another table, with the values that they were to have."""

from __future__ import annotations

from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves, run
from headwater.sql.form import LogErrors


@resolves(LogErrors)
def log_errors(builder: Builder, form: LogErrors, environment: Environment) -> Outcome:
    """The statement; what flows into a written table flows into the columns of that name of the other one."""
    outcome = run(builder, form.statement, environment)
    if form.table is None:
        return outcome
    written = set(builder.written)
    rows = {table.rows for table in builder.tables.values() if table.entity in written}
    rejected = builder.writes(builder.table(form.table))
    for target, source, kind, place in list(builder.edges):
        entity, name, _ = builder.columns[target]
        if entity in written:
            column = rejected.rows if target in rows else rejected.claim(name)
            builder.edges.append((column, source, kind, place))
    return outcome
