"""A query as a statement of its own: its outputs are the target; SELECT … INTO writes a new table."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder
from headwater.resolve.last_result import keep_result
from headwater.resolve.query import query
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.resolve.tables_in_texts import moved_by_call
from headwater.resolve.write import write_by_position


@resolves(exp.Select, exp.Union, exp.Except, exp.Intersect, exp.Subquery, exp.Values, exp.Pivot, exp.Paren)
def query_statement(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """`SELECT …`, or `SELECT … INTO t FROM …`."""
    moved = moved_by_call(builder, node, environment)
    if moved is not None:
        return moved
    result = query(builder, node, None, environment)
    into = _into(node)
    if into is None or builder.dialect.into_variables or not _names_table(into):
        keep_result(builder, result)
        return Outcome("Select", result)
    table = builder.writes(builder.table(into.this, new=True))
    row = builder.entities[table.entity]
    row.temporary = row.temporary or bool(into.args.get("temporary"))
    write_by_position(builder, table, [name for name, _ in result.outputs], result, into)
    columns = None if result.open else dict.fromkeys((name for name, _ in result.outputs), "")
    builder.defines.append(Definition(table.name, columns, row.temporary))
    return Outcome("Select Into")


def _names_table(into: Any) -> bool:
    """Whether INTO names a table, not a variable."""
    return isinstance(into.this, exp.Table) and isinstance(into.this.this, (exp.Identifier, exp.Dot))


def _into(node: Any) -> Any:
    """The INTO of a query, which in a set operation stands in its first branch."""
    while isinstance(node, exp.SetOperation):
        node = node.this
    into = node.args.get("into")
    return into if isinstance(into, exp.Into) else None
