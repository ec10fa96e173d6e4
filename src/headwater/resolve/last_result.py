"""Snowflake's results of earlier queries: `TABLE(RESULT_SCAN(LAST_QUERY_ID()))`, also by an id that a variable keeps.

The result of the last query is a cursor that every query of the program opens anew. A variable that is given its id has the same columns.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import FROM_ROWS, IDENTITY
from headwater.resolve.builder import Builder
from headwater.resolve.from_item import add_derived
from headwater.resolve.generator import arguments_of, name_of
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.table_function import in_from
from headwater.resolve.variable import Holder, Variables, assigned, held
from headwater.sql.form import NoLineage
from headwater.sql.procedural.text import name_of as variable_name

LAST_QUERY = "last query"
"""The variable, nameless to programs, that has the rows of the last query."""
_IDS = frozenset({"last_query_id", "sqlid"})


def keep_result(builder: Builder, result: ResultSet) -> None:
    """Let the rows of a query be those of the last one, where somebody asks for these."""
    variables = builder.session.variables
    last = variables.find(LAST_QUERY) if variables is not None else None
    if variables is None or last is None:
        return
    holder = assigned(builder, last)
    for name, column in result.outputs:
        builder.edge(holder.claim(name), column, IDENTITY, None)
    builder.edge(holder.rows, result.rows, FROM_ROWS, None)
    variables.opened(last, [name for name, _ in result.outputs])


def forget_result(variables: Variables, tree: Any) -> None:
    """A statement without rows, or whose rows nobody knows, is the last query now."""
    last = variables.find(LAST_QUERY)
    if last is not None and isinstance(tree, (exp.DML, exp.DDL, NoLineage)) and not isinstance(tree, exp.Query):
        variables.shapes.pop(last.number, None)
        variables.alternatives.pop(last.number, None)


def result_of_id(scope: Scope, node: Any) -> Holder | None:
    """The rows of the query whose id an expression is: `LAST_QUERY_ID()`, a variable that was given one; None if they are not known."""
    variables = scope.builder.session.variables
    if variables is None:
        return None
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.Func):
        found = variables.find(LAST_QUERY) if name_of(node) in _IDS and _is_last(node) else None
    elif isinstance(node, (exp.Column, exp.Parameter, exp.Placeholder)):
        name = variable_name(node, scope.dialect.session_marks or "@")
        found = variables.find(LAST_QUERY if name.lower() in _IDS else scope.dialect.fold_column(name, False))
    else:
        return None
    return held(scope.builder, found) if found is not None and found.number in variables.shapes else None


def _is_last(call: Any) -> bool:
    """Whether an id is that of the last query: `LAST_QUERY_ID()`, `LAST_QUERY_ID(-1)`."""
    arguments = arguments_of(call)
    return not arguments or (isinstance(arguments[0], exp.Neg) and arguments[0].name == "1")


def keep_id(scope: Scope, target: Holder, value: Any) -> None:
    """A variable is given the id of a query: it has the query's columns, besides the id itself."""
    source = result_of_id(scope, value)
    if source is None:
        return
    builder = scope.builder
    columns = source.star()
    for name, column in columns:
        builder.edge(target.claim(name), column, IDENTITY, None)
    builder.edge(target.rows, source.rows, FROM_ROWS, None)
    builder.session.variables.opened(target.variable, [name for name, _ in columns])  # type: ignore[union-attr]


@in_from("result_scan", dialects=("snowflake",))
def result_scan(scope: Scope, node: Any, call: Any) -> bool:
    """`TABLE(RESULT_SCAN(id))`: the rows of an earlier query, if it is known which."""
    arguments = arguments_of(call)
    source = result_of_id(scope, arguments[0]) if arguments else None
    if source is None:
        return False
    result = ResultSet(scope.builder, "function", call)
    scope.builder.edge(result.rows, source.rows, FROM_ROWS, None)
    for name, column in source.star():
        if name == "*":
            result.add_open_star(source, call)
        else:
            result.pass_on(source, name, column, call)
    add_derived(scope, node, result.complete(), "RESULT_SCAN")
    return True
