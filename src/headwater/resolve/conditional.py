"""CASE, IF, NULLIF, NVL2, DECODE: what is tested decides, what is chosen flows."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.choices import choices
from headwater.resolve.flow import flow, handles
from headwater.resolve.function import called
from headwater.resolve.scope import Scope


@called("multiif")
@handles(exp.Case, exp.If, exp.Nvl2, exp.Nullif, exp.DecodeCase)
def choice(scope: Scope, node: Any, target: int, kind: int) -> None:
    """A node of its own, which takes tests and values."""
    value = scope.builder.function(node)
    scope.edges.append((target, value, kind, node))
    for each, how in choices(node):
        flow(scope, each, value, how)
