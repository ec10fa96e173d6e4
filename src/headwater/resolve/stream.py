"""Databricks' `STREAM t`, `STREAM(t)`: the table, read as it grows; its columns are the table's."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.from_item import from_item, stands_in_from
from headwater.resolve.scope import Scope


@stands_in_from(exp.Stream)
def stream(scope: Scope, node: Any) -> None:
    """What STREAM reads, with the alias that stands inside."""
    from_item(scope, node.this)
