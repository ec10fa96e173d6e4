"""Databricks' STREAM(t): the rows of t as they arrive. For lineage it is t itself."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.from_item import from_item, stands_in_from
from headwater.resolve.scope import Scope


@stands_in_from(exp.Stream)
def streamed_table(scope: Scope, node: Any) -> None:
    """`STREAM t`, `STREAM(t) AS x`."""
    inner = node.this
    alias = inner.args.get("alias")
    if isinstance(inner, exp.Subquery) and isinstance(inner.this, exp.Table):
        inner = inner.this
        if isinstance(alias, exp.TableAlias):
            inner = inner.copy()
            inner.set("alias", alias.copy())
    from_item(scope, inner)
