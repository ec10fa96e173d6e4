"""DuckDB's `#2`: the second of all columns in FROM, under its own name."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.resolve.flow import column_at, handles
from headwater.resolve.position import position
from headwater.resolve.scope import Scope


@handles(exp.PositionalColumn)
def positional_column(scope: Scope, node: Any, target: int, kind: int) -> None:
    """The column of that number, as a source."""
    found = column_at(scope, position(node.this))
    if found is None:
        subject = f"#{node.name}"
        scope.builder.say(Code.UNRESOLVED_COLUMN, f"there is no column number {node.name} in FROM", node, subject)
        found = subject, scope.builder.orphan(subject, node)
    scope.edges.append((target, found[1], kind, node))
