"""CONNECT BY: a hierarchy of the rows in FROM, and the pseudo columns that it gives them.

START WITH and CONNECT BY decide which rows the hierarchy has. It is a row set of its own between FROM and the select list: LEVEL and
its kin are made from that row set, while WHERE, which is applied afterwards, has no say in them.

```sql
SELECT ename, LEVEL FROM emp START WITH mgr IS NULL CONNECT BY PRIOR empno = mgr  -- LEVEL: the rows that empno and mgr connect
```
"""

from __future__ import annotations

from typing import Any

from headwater.model.kind import AGGREGATE_ROWS, CONNECT_BY, FROM_ROWS
from headwater.resolve.flow import flow
from headwater.resolve.scope import ResultSet, Scope

_PSEUDO_COLUMNS = ("LEVEL", "CONNECT_BY_ISLEAF", "CONNECT_BY_ISCYCLE")


def connect_by(scope: Scope, node: Any, result: ResultSet) -> None:
    """Arrange the rows of a complete FROM into a hierarchy; the pseudo columns are visible from here on."""
    hierarchy = ResultSet(scope.builder, "hierarchy", node)
    for item in scope.items:
        scope.edges.append((hierarchy.rows, item.owner.rows, FROM_ROWS, None))
    # Inside the conditions LEVEL is the depth reached so far: it comes from no row yet.
    _name_pseudo_columns(scope, node)
    for condition in (node.args.get("start"), node.args.get("connect")):
        if condition is not None:
            flow(scope, condition, hierarchy.rows, CONNECT_BY)
    for column in _name_pseudo_columns(scope, node):
        scope.edges.append((column, hierarchy.rows, AGGREGATE_ROWS, None))
    scope.edges.append((result.rows, hierarchy.complete().rows, FROM_ROWS, None))


def _name_pseudo_columns(scope: Scope, node: Any) -> list[int]:
    """New columns under the pseudo columns' names, which win over any other of that name."""
    columns = []
    for name in _PSEUDO_COLUMNS:
        folded = scope.dialect.fold_column(name, False)
        columns.append(scope.builder.function(node))
        scope.names[folded] = columns[-1]
    return columns
