"""Spark's windows of time: `GROUP BY window(at, '1 day')` makes a column `window` with the fields `start` and `end`."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import TRANSFORMATION, WHERE
from headwater.resolve.flow import flow
from headwater.resolve.scope import Scope

TIME_WINDOWS = ("window", "session_window")


def name_time_windows(scope: Scope, group: Any) -> None:
    """Make the windows of a GROUP BY known by the name of their function, as an alias would; a row without a time is in none."""
    for call in group.find_all(exp.Anonymous):
        name = str(call.this).lower()
        if name in TIME_WINDOWS and call.expressions:
            column = scope.builder.function(call)
            flow(scope, call.expressions[0], column, TRANSFORMATION)
            flow(scope, call.expressions[0], scope.rows, WHERE)
            scope.aliases.setdefault(name, column)
