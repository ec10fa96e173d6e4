"""Hive's and Spark's `TRANSFORM (a, b) USING 'script' AS (x, y)`: rows go through a program, which may mix all columns.

Every output depends on every input, and the program decides how many rows come out.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import LATERAL, TRANSFORMATION
from headwater.resolve.flow import flow
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.select_item import gives_outputs


@gives_outputs(exp.QueryTransform)
def transform(scope: Scope, node: Any, result: ResultSet) -> bool:
    """The outputs that AS names; without it Hive and Spark call them key and value."""
    schema = node.args.get("schema")
    listed = [c.this if isinstance(c, exp.ColumnDef) else c for c in schema.expressions] if schema is not None else []
    names = [scope.dialect.column(c) for c in listed] or ["key", "value"]
    program = scope.builder.function(node)
    for argument in node.expressions:
        flow(scope, argument, program, TRANSFORMATION)
        flow(scope, argument, result.rows, LATERAL)
    for name in names:
        scope.edges.append((result.add(name, node), program, TRANSFORMATION, node))
    return True


def with_output_names(expressions: list[Any]) -> list[Any]:
    """`TRANSFORM (…) USING 'x' AS k, v` as one item: the parser takes k for an alias and v for a column."""
    first = expressions[0] if expressions else None
    if not isinstance(first, exp.Alias) or not isinstance(first.this, exp.QueryTransform):
        return expressions
    names = [first.args["alias"], *(e.this for e in expressions[1:] if isinstance(e, exp.Column))]
    whole = first.this.copy()
    whole.set("schema", exp.Schema(expressions=[name.copy() for name in names]))
    return [whole]
