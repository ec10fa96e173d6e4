"""Table aliases along a pipe: most operators keep the aliases before them visible, for the columns as they were then.

The steps of a pipe reach us as common table expressions (see `sql.pipe`). `t.a` behind `|> SET a = 0` is still t's own a; behind
`|> SELECT` or `|> AGGREGATE` there is no t.

```sql
FROM t |> EXTEND t.a + 1 AS b |> WHERE t.a > 0   -- t.a is the table's, although FROM holds the step `|> extend 1`
```
"""

from __future__ import annotations

from headwater.resolve.builder import Owner
from headwater.resolve.scope import Item, Scope
from headwater.sql.pipe import MARK

_FORGETTING = frozenset({"select", "aggregate", "pivot", "unpivot", "union"})
"""Operators behind which no earlier alias is visible."""
_NAMING = frozenset({"pivot", "unpivot"})
"""Those of them that may have an alias of their own, `|> PIVOT(…) AS p`."""


def is_step(name: str) -> bool:
    """Whether a common table expression is a step of a pipe."""
    return name.startswith(MARK)


def kept_alias(scope: Scope, alias: str) -> Owner | None:
    """The FROM item of an earlier step that an alias still names, from the inside out."""
    current: Scope | None = scope
    while current is not None:
        owner = _before(current.items, alias, scope.builder.stages)
        if owner is not None:
            return owner
        current = current.parent
    return None


def _before(steps: list[Item], alias: str, stages: dict[int, Scope]) -> Owner | None:
    items = list(steps)
    while items:
        item = items.pop()
        stage = stages.get(item.owner.entity) if item.name is not None and is_step(item.name) else None
        operator = _word(item.name or "")
        if stage is None or operator in _FORGETTING - _NAMING:
            continue
        named = stage.by_name.get(alias)
        if named is not None:
            return named.owner
        if operator not in _FORGETTING:
            items.extend(stage.items)
    return None


def _word(name: str) -> str:
    return name[len(MARK) :].rsplit(" ", 1)[0]
