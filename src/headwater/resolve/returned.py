"""RETURN: what a function gives back, a value or rows; several of them add up."""

from __future__ import annotations

from headwater.model.kind import FROM_ROWS, IDENTITY
from headwater.resolve.builder import Builder
from headwater.resolve.flow import make
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import Environment, Scope
from headwater.resolve.statement import Outcome, resolves
from headwater.resolve.variable import assigned, held
from headwater.sql.procedural.form import Returned


@resolves(Returned)
def returned(builder: Builder, form: Returned, environment: Environment) -> Outcome:
    """`RETURN v + 1`, `RETURN QUERY SELECT …`."""
    variables = builder.session.variables
    assert variables is not None
    given = assigned(builder, variables.returned())
    if form.value is None:
        return Outcome("Return")
    if not form.rows or not is_query(form.value):
        make(Scope(builder, None, environment), form.value, given.claim(variables.returned().name))
        return Outcome("Return")
    result = query(builder, form.value, None, environment)
    before = held(builder, variables.returned())
    names = variables.shapes.setdefault(variables.returned().number, tuple(name for name, _ in result.outputs))
    for name, (_, column) in zip(names, result.outputs, strict=False):
        builder.edge(given.claim(name), column, IDENTITY, form.value)
        builder.edge(given.claim(name), before.claim(name), IDENTITY, None)
    builder.edge(given.rows, result.rows, FROM_ROWS, None)
    builder.edge(given.rows, before.rows, FROM_ROWS, None)
    return Outcome("Return")
