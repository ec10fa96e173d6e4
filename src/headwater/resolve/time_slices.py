"""RisingWave's `TUMBLE(t, ts, INTERVAL '1 minute')` and `HOP(…)` in FROM: the rows of t, with the bounds of their windows of time."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.call_argument import table_of
from headwater.resolve.from_item import add_derived
from headwater.resolve.generator import arguments_of, name_of
from headwater.resolve.query import query
from headwater.resolve.scope import Scope
from headwater.resolve.table_function import in_from

_BOUNDS = ("window_start", "window_end")


@in_from("tumble", "hop", dialects=("postgres",))
def time_slices(scope: Scope, node: Any, call: Any) -> bool:
    """A query of all columns of the table, and of the bounds, which are made of its time."""
    arguments = arguments_of(call)[:2]
    if not scope.dialect.streams or len(arguments) < 2 or not isinstance(arguments[1], exp.Column):
        return False
    given, time = arguments
    table = table_of(given) if isinstance(given, exp.Column) else given.copy()
    if not isinstance(table, (exp.Table, exp.Subquery)):
        return False
    bounds = [
        exp.Alias(this=exp.Anonymous(this=name_of(call), expressions=[time.copy()]), alias=exp.to_identifier(name))
        for name in _BOUNDS
    ]
    rows = exp.Select(expressions=[exp.Star(), *bounds]).from_(table)
    add_derived(scope, node, query(scope.builder, rows, None, scope.environment))
    return True
