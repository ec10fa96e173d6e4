"""GROUP BY: expressions, ordinals, aliases, GROUPING SETS, ROLLUP, CUBE, ALL."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import AGGREGATE_ROWS, GROUP_BY
from headwater.resolve.flow import flow
from headwater.resolve.position import position
from headwater.resolve.scope import ResultSet, Scope


def group_by(scope: Scope, node: Any, result: ResultSet) -> bool:
    """Each key decides over the row set; `close_aggregates` hands the same keys to the aggregates. Whether there are any."""
    found = node.args.get("all") is True and _all(scope, result)
    keys = _keys(node)
    for key in keys:
        ordinal = _ordinal(key, result)
        if ordinal is not None:
            scope.edges.append((result.rows, ordinal, GROUP_BY, key))
        else:
            flow(scope, key, result.rows, GROUP_BY)
    return found or bool(keys)


def _keys(node: Any) -> list[Any]:
    """The keys of all grouping elements, flat."""
    keys: list[Any] = []
    stack = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, (exp.Group, exp.GroupingSets, exp.Cube, exp.Rollup, exp.Tuple)):
            children = [v for value in current.args.values() for v in (value if isinstance(value, list) else [value])]
            stack.extend(c for c in reversed(children) if isinstance(c, exp.Expr))
        elif isinstance(current, exp.Paren) and not isinstance(current.this, exp.Literal):
            stack.append(current.this)
        else:
            keys.append(current)
    return keys


def _ordinal(key: Any, result: ResultSet) -> int | None:
    """The output that `GROUP BY 2` means."""
    number = position(key)
    if number is None or key.is_string or not 0 < number <= len(result.outputs):
        return None
    return result.outputs[number - 1][1]


def _all(scope: Scope, result: ResultSet) -> bool:
    """GROUP BY ALL: every output that holds no aggregate; there may be none."""
    aggregates = set(scope.aggregates)
    depends: dict[int, list[int]] = {}
    for target, source, _, _ in scope.edges:
        depends.setdefault(target, []).append(source)
    keys = [column for _, column in result.outputs if not _reaches(column, aggregates, depends)]
    scope.edges.extend((result.rows, column, GROUP_BY, None) for column in keys)
    return bool(keys)


def _reaches(column: int, aggregates: set[int], depends: dict[int, list[int]]) -> bool:
    stack, seen = [column], set()
    while stack:
        current = stack.pop()
        if current in aggregates:
            return True
        if current not in seen:
            seen.add(current)
            stack.extend(depends.get(current, ()))
    return False


def close_groupings(scope: Scope, keys: list[tuple[int, int, int, Any]]) -> None:
    """Connect what numbers the groups of a SELECT with the keys."""
    for value in scope.groupings:
        for _, source, _, place in keys:
            scope.edges.append((value, source, GROUP_BY, place))


_MANY_KEYS = 100
"""From so many keys on, each aggregate looks at the time."""


def close_aggregates(scope: Scope, keys: list[tuple[int, int, int, Any]], grouped: bool) -> None:
    """Connect the aggregates of a SELECT with what decides over their groups.

    With GROUP BY each key influences each aggregate; without keys the row sets in FROM do. `count(*)` depends on the row
    sets in any case.
    """
    edges = scope.edges
    pairs = len(scope.aggregates) * len(keys) + (len(scope.aggregates) + len(scope.counts)) * len(scope.items)
    scope.builder.work.refuse_excess(0, len(edges) + pairs)
    for aggregate in scope.aggregates:
        if len(keys) > _MANY_KEYS:
            scope.builder.check()
        edges += [(aggregate, source, kind, place) for _, source, kind, place in keys if source != aggregate]
    by_rows = scope.counts if grouped else dict.fromkeys(scope.aggregates + scope.counts)
    for aggregate in by_rows:
        for item in scope.items:
            edges.append((aggregate, item.owner.rows, AGGREGATE_ROWS, None))
