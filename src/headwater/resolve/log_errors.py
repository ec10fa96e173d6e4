"""LOG ERRORS: the rows that a statement cannot write go to another table, with the values that they were to have."""

from __future__ import annotations

from headwater.model.kind import JOIN, WRITE_ROWS
from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves, run
from headwater.sql.form import LogErrors


@resolves(LogErrors)
def log_errors(builder: Builder, form: LogErrors, environment: Environment) -> Outcome:
    """The statement; what flows into a written table flows into the columns of that name of the other one.

    A rejected row is added to that table, whether it was to be inserted or to be updated: so the rows that the statement changes decide
    over its row set.
    """
    outcome = run(builder, form.statement, environment)
    if form.table is None:
        return outcome
    written = set(builder.written)
    rows = {table.rows for table in builder.tables.values() if table.entity in written}
    rejected = builder.writes(builder.table(form.table))
    changed: dict[int, None] = {}
    for target, source, kind, place in list(builder.edges):
        entity, name, _ = builder.columns[target]
        if entity not in written or kind == JOIN:
            continue
        if kind == WRITE_ROWS:
            changed[source] = None
        if target not in rows:
            builder.edges.append((rejected.claim(name), source, kind, place))
    builder.edges.extend((rejected.rows, source, WRITE_ROWS, None) for source in changed)
    return outcome
