"""What a query does with a value only if the value has no fields: no struct is ordered, added or searched for letters.

```sql
SELECT (SELECT MAX(x) FROM UNNEST(a) AS x WHERE x > k) FROM t   -- x is ordered, so k is no field of it
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from headwater.resolve.builder import Builder
from headwater.sql.dialect import Dialect

_ORDERED = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.Ordered, exp.Max, exp.Min)
_CALCULATED = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Sum, exp.Avg)
_SEARCHED = (exp.Like, exp.RegexpLike, exp.StartsWith, exp.EndsWith)
_SPELLED = (exp.Lower, exp.Upper, exp.Trim, exp.DPipe, exp.Concat)
_SCALAR = frozenset({*_ORDERED, *_CALCULATED, *_SEARCHED, *_SPELLED})
_EQUAL = frozenset({exp.EQ, exp.NEQ, exp.In})
"""Structs are equal or not as well: only a literal on the other side tells."""


def is_used_as_scalar(builder: Builder, item: Any, name: str) -> bool:
    """Whether the query that has *item* in FROM uses the value of that name, unqualified, as one without fields."""
    query = item.find_ancestor(exp.Select)
    if query is None:
        return False
    if id(query) not in builder.scalars:  # a query is walked once, however many arrays it unnests
        builder.scalars[id(query)] = frozenset(_scalars(builder.dialect, query))
    return name in builder.scalars[id(query)]


def _scalars(dialect: Dialect, query: Any) -> Iterator[str]:
    """The unqualified names that a query uses as values without fields; a query inside may mean others by them."""
    for node in query.walk(prune=lambda node: node is not query and isinstance(node, exp.Query)):
        is_bare = type(node) is exp.Column and node.args.get("table") is None and type(node.this) is exp.Identifier
        if is_bare and _is_scalar_use(node):
            yield dialect.column(node.this)


def _is_scalar_use(column: Any) -> bool:
    parent = column.parent
    if type(parent) in _SCALAR:
        return True
    others = [node for node in parent.iter_expressions() if node is not column] if type(parent) in _EQUAL else []
    return any(isinstance(node, exp.Literal) for node in others)
