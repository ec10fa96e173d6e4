"""Delta Lake's change data feed: `table_changes('db.t', 3)` reads what changed in a table, with three columns of its own.

```sql
SELECT id, _change_type FROM table_changes('db.t', 3)   -- id is db.t.id, _change_type is db.t._change_type
```
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.builder import Table
from headwater.resolve.from_item import alias_name, put_item
from headwater.resolve.generator import arguments_of
from headwater.resolve.location import files, path_from_text
from headwater.resolve.scope import Scope
from headwater.resolve.spelled_table import parsed_name
from headwater.resolve.table_function import in_from
from headwater.resolve.time_travel import CHANGES

_ADDED = {"_change_type": "string", "_commit_version": "bigint", "_commit_timestamp": "timestamp"}
"""The columns that the feed has besides those of its table."""


@in_from("table_changes", dialects=("databricks", "spark"))
def changes_of_table(scope: Scope, node: Any, call: Any) -> bool:
    """The feed of a table."""
    name = _named(call)
    return name is not None and _put(scope, node, scope.builder.table(parsed_name(scope, name), state=CHANGES))


@in_from("table_changes_by_path", dialects=("databricks", "spark"))
def changes_of_path(scope: Scope, node: Any, call: Any) -> bool:
    """The feed of a table at a path."""
    path = _named(call)
    return path is not None and _put(
        scope, node, files(scope.builder, path_from_text(path, node, "delta"), True, CHANGES)
    )


def _named(call: Any) -> str | None:
    arguments = arguments_of(call)
    return arguments[0].name if arguments and isinstance(arguments[0], exp.Literal) else None


def _put(scope: Scope, node: Any, table: Table) -> bool:
    if table.schema is not None:
        table.schema = {**table.schema, **_ADDED}
        table.listed = table.schema
    put_item(scope, node, alias_name(scope, node), scope.builder.reads(table))
    return True
