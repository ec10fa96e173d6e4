"""Statements that run later under a name: CREATE TASK, CREATE PIPE, CREATE EVENT, PREPARE. What they will do is their lineage."""

from __future__ import annotations

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.resolution import Definition, SqlFunction
from headwater.resolve.builder import Builder, Table
from headwater.resolve.column_definition import column_definitions
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves, run
from headwater.sql.form import ExecutePrepared, Scheduled


@resolves(Scheduled)
def scheduled(builder: Builder, form: Scheduled, environment: Environment) -> Outcome:
    """The statement inside; nothing that it defines is there yet, but for the columns that the scheduled table itself lists."""
    listed = _listed(builder, form) if form.columns else None
    outcome = run(builder, form.statement, environment)
    builder.defines[:] = [listed] if listed is not None else []
    builder.replaced.clear()
    builder.default_schema = None
    if form.type == "Prepare":
        name = builder.table_name(form.name)[-1:]
        body = form.statement if is_query(form.statement) else None
        builder.functions.append(SqlFunction(name, (), body, temporary=True))
    return Outcome(form.type, None, outcome.effect)


def _listed(builder: Builder, form: Scheduled) -> Definition:
    """What a dynamic table lists: its columns, which are known to the statement that fills it."""
    columns = column_definitions(builder, form.columns)
    table = builder.table(form.name, new=True)
    builder.tables[table.name, ""] = Table(builder, table.entity, table.name, columns)
    return Definition(table.name, columns, False)


@resolves(ExecutePrepared)
def execute_prepared(builder: Builder, form: ExecutePrepared, environment: Environment) -> Outcome:
    """`EXECUTE p`: PREPARE has told what p writes, the rows of a query are given here. Parameters take constants."""
    name = builder.table_name(form.name)[-1]
    prepared = builder.session.functions.get(name)
    if prepared is None:
        message = f"what statement {name} does is not known: no PREPARE of that name stands before"
        builder.say(Code.UNKNOWN_PROCEDURE, message, form.name, name)
    elif any(each.body is not None for each in prepared.values()):
        rows = exp.Table(this=exp.Anonymous(this=form.name.name, expressions=[]))
        return Outcome("Execute", query(builder, exp.select("*").from_(rows), None, environment))
    return Outcome("Execute")
