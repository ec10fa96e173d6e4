"""Flink's windowing functions: a table with the window of each row.

```sql
SELECT item, window_start FROM TABLE(TUMBLE(TABLE Bid, DESCRIPTOR(bidtime), INTERVAL '10' MINUTES))   -- Bid.item; Bid.bidtime
```

The table's columns are passed on. The window's borders are made of the column that the descriptor names; where a session begins depends on
the rows of its partition as well.
"""

from __future__ import annotations

from typing import Any

from headwater.model.kind import TRANSFORMATION, WINDOW
from headwater.resolve.call_argument import descriptor_columns, input_owner, named, partition_keys, whole_input
from headwater.resolve.flow import flow_all
from headwater.resolve.from_item import add_derived
from headwater.resolve.generator import arguments_of
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.table_function import in_from

_BORDERS = ("window_start", "window_end", "window_time")


@in_from("tumble", "hop", "cumulate", "session", dialects=("flink",))
def windowing_function(scope: Scope, node: Any, call: Any) -> bool:
    """The input's columns, then the borders of the window."""
    arguments = [named(scope, each)[1] for each in arguments_of(call)]
    data = next((each for each in arguments if whole_input(each) is not None), None)
    times = [column for each in arguments for column in descriptor_columns(each)]
    if data is None or not times:
        return False
    result = ResultSet(scope.builder, "function", node)
    owner = input_owner(scope, whole_input(data), result.rows)
    for name, column in owner.star():
        result.pass_on(owner, name, column, node)
    inside = Scope(scope.builder, None, scope.environment, result.rows)
    inside.add(None, owner)
    for border in _BORDERS:
        column = result.add(border, node)
        flow_all(inside, times, column, TRANSFORMATION)
        flow_all(inside, partition_keys(data), column, WINDOW)
    add_derived(scope, node, result.complete())
    return True
