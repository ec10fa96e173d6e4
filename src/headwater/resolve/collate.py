"""COLLATE: what it names is an order of characters, not a column."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import under_operator
from headwater.resolve.flow import flow, handles
from headwater.resolve.scope import Scope


@handles(exp.Collate)
def collate(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`a COLLATE pg_catalog."C"`: a alone."""
    flow(scope, node.this, target, under_operator(kind))
