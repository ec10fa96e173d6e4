"""RETURN: what a function gives back, a value or rows; several of them add up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from headwater.model.kind import FROM_ROWS, IDENTITY
from headwater.model.relation import OUTSIDE
from headwater.resolve.builder import Builder
from headwater.resolve.collection import record, row_type
from headwater.resolve.flow import flow, make
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import Environment, ResultSet, Scope
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
        if form.rows:
            fold = builder.dialect.fold_column
            columns = [(fold(each.name, False), held(builder, each).value) for each in variables.out_columns]
            _give_row(builder, columns, None)
        return Outcome("Return")
    scope = Scope(builder, None, environment)
    whole = record(scope, form.value.unnest())
    if whole is not None and not whole.is_collection:
        _give_row(builder, whole.star(), form.value, adds=form.rows)
        builder.edge(given.rows, whole.rows, FROM_ROWS, None)
        return Outcome("Return")
    made = _constructed(scope, form.value)
    if made:
        columns = [(name, builder.function(value)) for name, value in made]
        for (_, value), (_, column) in zip(made, columns, strict=True):
            flow(scope, value, column, IDENTITY)
        _give_row(builder, columns, form.value, adds=form.rows)
        return Outcome("Return")
    before = held(builder, variables.returned()) if form.rows else None
    if before is None or not is_query(form.value):
        make(scope, form.value, given.claim(variables.returned().name))
        if before is not None:
            builder.edge(
                given.claim(variables.returned().name), before.claim(variables.returned().name), IDENTITY, None
            )
        return Outcome("Return")
    result = query(builder, form.value, None, environment)
    names = variables.shapes.setdefault(variables.returned().number, tuple(name for name, _ in result.outputs))
    for name, (_, column) in zip(names, result.outputs, strict=False):
        builder.edge(given.claim(name), column, IDENTITY, form.value)
        builder.edge(given.claim(name), before.claim(name), IDENTITY, None)
    builder.edge(given.rows, result.rows, FROM_ROWS, None)
    builder.edge(given.rows, before.rows, FROM_ROWS, None)
    return Outcome("Return")


def _constructed(scope: Scope, node: Any) -> list[tuple[str, Any]]:
    """The fields of a row that is made where it is given back, `PIPE ROW (pair_t(a, b))`, each with its value."""
    node = node.unnest()
    names = row_type(scope, node.name) if isinstance(node, exp.Anonymous) else None
    if names is None or len(names) != len(node.expressions):
        return []
    return list(zip(names, node.expressions, strict=True))


def _give_row(builder: Builder, listed: Sequence[tuple[str, int]], place: Any, adds: bool = True) -> None:
    """A record, or what OUT parameters hold, is what is given back, or one more row of that."""
    variables = builder.session.variables
    assert variables is not None
    given, before = assigned(builder, variables.returned()), held(builder, variables.returned())
    names = variables.shapes.setdefault(variables.returned().number, tuple(name for name, _ in listed))
    for name, (_, column) in zip(names, listed, strict=False):
        builder.edge(given.claim(name), column, IDENTITY, place)
        if adds:
            builder.edge(given.claim(name), before.claim(name), IDENTITY, None)
    if adds:
        builder.edge(given.rows, before.rows, FROM_ROWS, None)


def show_rows(builder: Builder, result: ResultSet) -> None:
    """The rows that a procedure shows, as one that it calls does, are given back; outside of routines nobody takes them."""
    variables = builder.session.variables
    if variables is None or variables.procedure == OUTSIDE:
        return
    _give_row(builder, result.outputs, None)
    builder.edge(assigned(builder, variables.returned()).rows, result.rows, FROM_ROWS, None)
