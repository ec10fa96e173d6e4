"""ClickHouse's ARRAY JOIN: one row per element of an array, or of several side by side.

With an alias the elements are a column beside the array; without one they take the array's own name, and the array is no longer visible.

```sql
SELECT s, a FROM t ARRAY JOIN arr AS a        -- a: elements of t.arr
SELECT s, arr FROM t LEFT ARRAY JOIN arr      -- arr: elements of t.arr
```
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import LATERAL
from headwater.resolve.flow import flow
from headwater.resolve.from_item import stands_in_from
from headwater.resolve.generator import add_element, add_position, name_of
from headwater.resolve.scope import ResultSet, Scope


@stands_in_from(exp.Alias, exp.Column)
def array_join(scope: Scope, node: Any) -> None:
    """Put the elements of the arrays after ARRAY JOIN into the scope."""
    join = node.parent
    result = ResultSet(scope.builder, "function", node)
    covered: list[str] = []
    for each in (node, *(join.expressions if isinstance(join, exp.Join) else ())):
        array = each.this if isinstance(each, exp.Alias) else each
        alias = each.args["alias"] if isinstance(each, exp.Alias) else None
        name = scope.dialect.column(alias or (array.this if isinstance(array, exp.Column) else exp.Identifier(this="")))
        flow(scope, array, result.rows, LATERAL)
        if name_of(array) == "arrayenumerate":
            add_position(scope, result, name, each)
        else:
            add_element(scope, result, name, array, each)
        if alias is None:
            covered.append(name)
    scope.add(None, result.complete())
    for name in covered:
        scope.merged[name] = result.columns[name]
        scope.hidden.update((id(item), name) for item in scope.items)
