"""HAVING: which groups stay.

A name that is both a column in FROM and an alias of the select list means the column where that is a key of GROUP BY. Else it
means the alias, because a column that is no key has no value of its own here, except inside an aggregate:
`SELECT sum(a * b) AS a FROM t GROUP BY k HAVING a > 5`.
"""

from __future__ import annotations

from typing import Any

from headwater.model.kind import HAVING
from headwater.resolve.flow import flow
from headwater.resolve.scope import ALIASES_LAST, ALIASES_OUTSIDE_AGGREGATES, NO_ALIASES, ResultSet, Scope


def having(scope: Scope, node: Any, result: ResultSet, first_key: int) -> None:
    """Let a condition decide over the row set; the edges from *first_key* on are those of GROUP BY."""
    if scope.dialect.alias_first:
        flow(scope, node, result.rows, HAVING)
        return
    scope.alias_rule = ALIASES_LAST if scope.dialect.alias_in_having else NO_ALIASES
    aliases = scope.aliases
    if scope.dialect.alias_in_having and any(name in item.owner.listed for item in scope.items for name in aliases):
        keys = _keys(scope, result, first_key)
        scope.aliases = {name: column for name, column in aliases.items() if not _is_key(scope, name, keys)}
        scope.alias_rule = ALIASES_OUTSIDE_AGGREGATES
    flow(scope, node, result.rows, HAVING)
    scope.aliases = aliases


def _keys(scope: Scope, result: ResultSet, first_key: int) -> set[int]:
    """The columns that the keys of GROUP BY are made of; a key may be an output of the select list."""
    outputs = {column for _, column in result.outputs}
    keys = {source for target, source, _, _ in scope.edges[first_key:] if target == result.rows}
    chosen = keys & outputs
    return keys | {source for target, source, _, _ in scope.edges if target in chosen} if chosen else keys


def _is_key(scope: Scope, name: str, keys: set[int]) -> bool:
    return any(not keys.isdisjoint(item.owner.having(name)) for item in scope.items if name in item.owner.listed)
