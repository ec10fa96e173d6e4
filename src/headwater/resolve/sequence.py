"""NEXT VALUE FOR: the number that a sequence gives."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.flow import handles
from headwater.resolve.scope import Scope


@handles(exp.NextValueFor)
def next_value(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`NEXT VALUE FOR s`: a value without source; s is no column."""
    scope.edges.append((target, scope.builder.function(node), kind, node))
