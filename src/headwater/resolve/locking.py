"""Words around a statement or a table that say how it is read, not what: Teradata's LOCKING, ClickHouse's FINAL."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.builder import Builder
from headwater.resolve.from_item import from_item, stands_in_from
from headwater.resolve.scope import Environment, Scope
from headwater.resolve.statement import Outcome, resolves, run


@resolves(exp.LockingStatement)
def locking(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """`LOCKING ROW FOR ACCESS SELECT …` is that SELECT."""
    return run(builder, node.expression, environment)


@stands_in_from(exp.Final)
def final(scope: Scope, node: Any) -> None:
    """`FROM t FINAL` is t."""
    from_item(scope, node.this)
