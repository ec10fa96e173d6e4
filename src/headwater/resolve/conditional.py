"""CASE, IF, NULLIF, NVL2, DECODE: what is tested decides, what is chosen flows."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.choices import choices
from headwater.resolve.flow import flow, handles
from headwater.resolve.function import function
from headwater.resolve.scope import Scope


@handles(exp.Case, exp.If, exp.Nvl2, exp.Nullif, exp.DecodeCase)
def choice(scope: Scope, node: Any, target: int, kind: int) -> None:
    """A node of its own, which takes tests and values."""
    value = scope.builder.function(node)
    scope.edges.append((target, value, kind, node))
    for each, how in choices(node):
        flow(scope, each, value, how)


@handles(exp.Anonymous)
def by_name(scope: Scope, node: Any, target: int, kind: int) -> None:
    """ClickHouse's `multiIf(test, a, test, b, c)`; every other unknown name is an ordinary call."""
    (choice if str(node.this).lower() == "multiif" else function)(scope, node, target, kind)
