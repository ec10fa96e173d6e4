"""A data-changing statement in FROM, T-SQL's `FROM (MERGE … OUTPUT …) AS x (a, b)`: its rows are those that it hands back."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.from_item import stands_in_from
from headwater.resolve.scope import Scope
from headwater.resolve.statement import nested_statement


@stands_in_from(exp.Merge, exp.Insert, exp.Update, exp.Delete)
def changed_rows(scope: Scope, node: Any) -> None:
    """Resolve the change, and put what it hands back into FROM; the parentheses around it have the alias."""
    scope.add(None, nested_statement(scope.builder, node, scope.environment))
