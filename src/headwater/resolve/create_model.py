"""CREATE MODEL: a model is made of all columns that it is trained on, and has one pseudo column."""

from __future__ import annotations

from sqlglot import exp

from headwater.model.kind import TRANSFORMATION, WRITE_ROWS
from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder, Owner
from headwater.resolve.column_definition import column_definitions
from headwater.resolve.query import query
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.form import CreateModel


@resolves(CreateModel)
def create_model(builder: Builder, form: CreateModel, environment: Environment) -> Outcome:
    """`CREATE MODEL m AS SELECT a, b FROM t`: `m.*` is made of a and b; ML.PREDICT and its like read it."""
    owners: list[Owner] = []
    for each in form.sources:
        is_table = isinstance(each, exp.Table)
        owners.append(builder.reads(builder.table(each)) if is_table else query(builder, each, None, environment))
    model = builder.table(form.name, new=True)
    if form.outputs:
        builder.defines.append(Definition(model.name, column_definitions(builder, form.outputs)))
        return Outcome("Create Model")
    builder.writes(model)
    for owner in owners:
        for _, column in owner.star():
            builder.edge(model.claim("*"), column, TRANSFORMATION, builder.columns[column][2])
        builder.edge(model.rows, owner.rows, WRITE_ROWS, None)
    builder.defines.append(Definition(model.name, None))
    return Outcome("Create Model")
