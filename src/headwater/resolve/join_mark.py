"""Oracle's outer joins in WHERE: `a.id = b.id (+)` is the ON condition of a join, whose optional side bears the mark.

A marked comparison takes no row of the other side away, so it is no filter; the other conditions of the same WHERE are.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import WHERE
from headwater.resolve.bind import find_item
from headwater.resolve.flow import flow
from headwater.resolve.join import relate
from headwater.resolve.scope import ResultSet, Scope


def where_with_marks(scope: Scope, condition: Any, result: ResultSet) -> None:
    """A WHERE condition, its marked comparisons as joins."""
    for part in _conjuncts(condition):
        marked = [c for c in part.find_all(exp.Column) if c.args.get("join_mark")]
        if not marked:
            flow(scope, part, result.rows, WHERE)
            continue
        optional = {_entity(scope, column) for column in marked}
        relate(scope, part, optional)


def _entity(scope: Scope, column: Any) -> int:
    qualifier = column.args.get("table")
    owner = find_item(scope, (scope.dialect.column(qualifier),)) if qualifier is not None else None
    return -1 if owner is None else owner.entity


def _conjuncts(node: Any) -> list[Any]:
    """The operands of ANDs, from left to right."""
    parts: list[Any] = []
    stack = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, exp.And):
            stack.append(current.args["expression"])
            stack.append(current.args["this"])
        elif isinstance(current, exp.Paren) and isinstance(current.this, exp.And):
            stack.append(current.this)
        else:
            parts.append(current)
    return parts
