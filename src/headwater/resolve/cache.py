"""Spark's CACHE TABLE c AS SELECT …: a temporary view of that name."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.entity import EntityKind
from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder
from headwater.resolve.made_type import made_types
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.resolve.write import write_by_position


@resolves(exp.Cache)
def cache(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """Without a query the table is only kept in memory."""
    source = node.args.get("expression")
    if not isinstance(source, exp.Expr) or not is_query(source):
        return Outcome("Cache Table")
    result = query(builder, source, None, environment)
    view = builder.writes(builder.table(node.this, temporary=True))
    row = builder.entities[view.entity]
    row.kind, row.type, row.temporary = EntityKind.VIEW, "view", True
    write_by_position(builder, view, [name for name, _ in result.outputs], result, node)
    columns = None if result.open else made_types(builder, [], result)
    builder.defines.append(Definition(view.name, columns, temporary=True, view=True))
    return Outcome("Cache Table")
