"""PARTITION BY and ORDER BY of windows: inline, named and inherited."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import WINDOW
from headwater.resolve.flow import flow
from headwater.resolve.scope import Scope


def arrange(scope: Scope, node: Any, value: int, seen: set[str]) -> bool:
    """PARTITION BY and ORDER BY of a window, and of the named window it builds on; tells whether that one has columns."""
    args = node.args
    for each in args.get("partition_by") or ():
        flow(scope, each, value, WINDOW)
    if args.get("order") is not None:
        flow(scope, args["order"], value, WINDOW)
    base = args.get("alias")
    if base is None and "over" in args and args["over"] is None:
        base = args.get("this")
    if isinstance(base, exp.Identifier):
        name = scope.dialect.column(base)
        named = scope.windows.get(name)
        if named is not None and name not in seen:
            further = arrange(scope, named, value, seen | {name})
            return further or named.find(exp.Column) is not None
    return False


def name_windows(scope: Scope, node: Any) -> None:
    """Remember the windows that a WINDOW clause names."""
    for named in node.args.get("windows") or ():
        scope.windows[scope.dialect.column(named.this)] = named
