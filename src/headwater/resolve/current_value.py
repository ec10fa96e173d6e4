"""CURRENT_DATE, CURRENT_USER and their like: calls without brackets, unless a table is known to have a column of that name.

```sql
SELECT current_user FROM v   -- Spark: v's column, where v has one; else who asks
```
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.flow import handles
from headwater.resolve.function import call
from headwater.resolve.scope import Scope

_NAMES = {
    exp.CurrentDate: "current_date",
    exp.CurrentTime: "current_time",
    exp.CurrentTimestamp: "current_timestamp",
    exp.CurrentUser: "current_user",
}


@handles(*_NAMES)
def current_value(scope: Scope, node: Any, target: int, kind: int) -> None:
    """A column of that name, where the dialect looks for one first; else a call."""
    column = _column(scope, node) if scope.dialect.columns_before_calls and not scope.builder.expanding else None
    if column is None:
        call(scope, node, target, kind)
    else:
        scope.edges.append((target, column, kind, node))


def _column(scope: Scope, node: Any) -> int | None:
    """The column that a table in FROM is known to have under the word, if the statement writes that without brackets."""
    name = _NAMES[node.__class__]
    owners = [item.owner for item in scope.items if name in item.owner.listed]
    places = scope.builder.places
    if len(owners) != 1 or not places.mentions(name) or places.mentions(f"{name}("):
        return None
    return owners[0].claim(name)
