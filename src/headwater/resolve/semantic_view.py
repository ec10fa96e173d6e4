"""Snowflake's SEMANTIC_VIEW(v DIMENSIONS … METRICS … FACTS … WHERE …): a query of a semantic view, in FROM.

What is asked of the view is named by its logical table and its own name, `orders.revenue`; both make the path of the view's column,
the name alone is what the output is called. Metrics are aggregates: the dimensions beside them are their groups.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import AGGREGATE_ROWS, FROM_ROWS, GROUP_BY, IDENTITY, TRANSFORMATION, WHERE
from headwater.resolve.builder import Table
from headwater.resolve.from_item import add_derived, table_form
from headwater.resolve.scope import ResultSet, Scope

_CLAUSES = ("dimensions", "metrics", "facts")


@table_form
def semantic_view(scope: Scope, node: Any) -> bool:
    """One output per listed dimension, metric or fact, in the order in which they are asked for."""
    form = node.this
    if not isinstance(form, exp.SemanticView) or not isinstance(form.this, exp.Table):
        return False
    builder = scope.builder
    view = builder.reads(builder.table(form.this))
    result = ResultSet(builder, "select_list", node)
    builder.edges.append((result.rows, view.rows, FROM_ROWS, None))
    made: dict[str, list[int]] = {}
    for clause in form.args:
        if clause in _CLAUSES:
            made[clause] = [_output(scope, view, asked, result) for asked in form.args[clause] or ()]
    _group(result, view, made)
    if isinstance(form.args.get("where"), exp.Expr):
        for column in form.args["where"].find_all(exp.Column):
            builder.edges.append((result.rows, _column(scope, view, column), WHERE, column))
    add_derived(scope, node, result.complete())
    return True


def _output(scope: Scope, view: Table, asked: Any, result: ResultSet) -> int:
    expression = asked.this if isinstance(asked, exp.Alias) else asked
    if isinstance(expression, exp.Column) and isinstance(expression.this, exp.Star):
        return result.pass_on(view, "*", view.claim("*"), asked)
    name = asked.args["alias"] if isinstance(asked, exp.Alias) else getattr(expression, "this", None)
    output = result.add(scope.dialect.column(name) if isinstance(name, exp.Identifier) else expression.sql(), asked)
    kind = IDENTITY if isinstance(expression, exp.Column) else TRANSFORMATION
    for column in expression.find_all(exp.Column):
        scope.edges.append((output, _column(scope, view, column), kind, column))
    return output


def _column(scope: Scope, view: Table, node: Any) -> int:
    """The view's column that `table.name` or a name alone means."""
    parts = [node.args[key] for key in ("table", "this") if isinstance(node.args.get(key), exp.Identifier)]
    return view.claim(".".join(map(scope.dialect.column, parts)) or "*")


def _group(result: ResultSet, view: Table, made: dict[str, list[int]]) -> None:
    """Dimensions are the groups of the metrics beside them; a metric alone is made of all rows."""
    edges = result.builder.edges
    dimensions = made.get("dimensions", [])
    for metric in made.get("metrics", ()):
        edges.extend((metric, dimension, GROUP_BY, None) for dimension in dimensions)
        if not dimensions:
            edges.append((metric, view.rows, AGGREGATE_ROWS, None))
    if made.get("metrics"):
        edges.extend((result.rows, dimension, GROUP_BY, None) for dimension in dimensions)
