"""PostgreSQL's crosstab: a query inside a string whose rows become columns.

`crosstab('SELECT row_name, category, value …') AS c (name text, jan int, feb int)`: the first column names the row. The last two are the
category, which chooses a column, and the value that goes there. Columns between them are handed on. A second query may list
the categories.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import FROM_ROWS, GROUP_BY, IDENTITY, PIVOT_FOR, TRANSFORMATION
from headwater.resolve.from_item import alias_columns, alias_name
from headwater.resolve.generator import arguments_of, name_of
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.table_function import in_from
from headwater.sql.embedded import embedded_query


@in_from("crosstab", "crosstab2", "crosstab3", "crosstab4", dialects=("postgres", "redshift"))
def crosstab(scope: Scope, node: Any, call: Any) -> bool:
    """Put the rows of a crosstab into FROM; a text that is not written out gets a diagnostic."""
    queries = [_resolved(scope, text) for text in arguments_of(call)]
    if not queries or None in queries or any(len(q.outputs) < 3 for q in queries[:1] if q is not None):
        message = "the query that crosstab runs is not understood"
        scope.builder.say(Code.UNKNOWN_TABLE_FUNCTION, message, node, "crosstab")
        return False
    source, *categories = [q for q in queries if q is not None]
    result = ResultSet(scope.builder, "function", node)
    width = name_of(call).removeprefix("crosstab") or "0"
    own_names = ["row_name", *(f"category_{n}" for n in range(1, int(width) + 1))]
    _fill(scope, node, result, source, [column for q in categories for _, column in q.outputs], own_names)
    result.row.alias = alias_name(scope, node)
    scope.add(result.row.alias or "crosstab", result.complete())
    return True


def _resolved(scope: Scope, text: Any) -> ResultSet | None:
    """The result of the query that a text holds; None if it is no literal, or not understood."""
    if not isinstance(text, (exp.Literal, exp.RawString)):
        return None
    tree = embedded_query(scope.builder.places, text, (scope.dialect.name,))
    return query(scope.builder, tree, None, Environment()) if tree is not None and is_query(tree) else None


def _fill(
    scope: Scope, node: Any, result: ResultSet, source: ResultSet, categories: list[int], own_names: list[str]
) -> None:
    """The columns of a crosstab: those that are handed on, by position, then one per category."""
    edges = scope.edges
    *handed_on, (_, category), (_, value) = source.outputs
    names = alias_columns(scope, node) or own_names
    edges.append((result.rows, source.rows, FROM_ROWS, None))
    edges.append((result.rows, handed_on[0][1], GROUP_BY, None))
    for position, name in enumerate(names):
        column = result.add(name, node)
        if position < len(handed_on):
            edges.append((column, handed_on[position][1], IDENTITY, node))
            continue
        edges.append((column, value, TRANSFORMATION, node))
        edges.append((column, handed_on[0][1], GROUP_BY, None))
        edges.extend((column, each, PIVOT_FOR, node) for each in (category, *categories))
