"""TRUNCATE: what a table held is gone; nothing flows."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves


@resolves(exp.TruncateTable)
def truncate(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """`TRUNCATE TABLE t`; of one partition, the others stay."""
    if not node.args.get("partition"):
        tables = (table for table in node.expressions if isinstance(table, exp.Table))
        builder.replaced.update(builder.table_name(table) for table in tables if not table.args.get("partition"))
    return Outcome("Truncate")
