"""DECLARE: a table variable has columns; other variables move no data by being declared."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder
from headwater.resolve.column_definition import column_definitions, unwritten_names
from headwater.resolve.no_lineage import say_unfollowed
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves


@resolves(exp.Declare)
def declare(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """`DECLARE @t TABLE (a INT)`: what a later `INSERT INTO @t` fills by position."""
    for item in node.expressions:
        if isinstance(item, exp.DeclareItem) and isinstance(item.args.get("kind"), exp.Schema):
            elements = item.args["kind"].expressions
            columns, unwritten = column_definitions(builder, elements), unwritten_names(builder, elements)
            for variable in item.this if isinstance(item.this, list) else [item.this]:
                name = builder.table_name(exp.Table(this=variable.copy()))
                builder.defines.append(Definition(name, columns or None, temporary=True, computed=unwritten))
    say_unfollowed(builder, node)
    return Outcome("Declare")
