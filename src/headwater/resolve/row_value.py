"""A table's alias used as a value: the whole row, a struct whose fields are the table's columns.

A column of that name wins where a table is known to have it, but not in BigQuery; a table of which nothing is known has none.

```sql
SELECT (p).name FROM people p                                     -- people.name
SELECT ARRAY_AGG(r ORDER BY ts LIMIT 1)[OFFSET(0)].* FROM t AS r  -- the columns of t
```
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater.model.kind import IDENTITY, TRANSFORMATION
from headwater.resolve.builder import Builder, Owner
from headwater.resolve.pipe import kept_alias
from headwater.resolve.scope import Scope


class Row:
    """The row of an owner: a field is its column."""

    __slots__ = ("owner",)

    values: Sequence[int] = ()
    is_array = False
    """As of a `Shape`."""

    def __init__(self, owner: Owner) -> None:
        self.owner = owner

    @property
    def members(self) -> list[str]:
        """The names of its fields, as far as they are all known."""
        return [] if self.owner.open else [name for name, _ in self.owner.star()]

    def column(self, name: str) -> int | None:
        """The column that a field is; None if there is none."""
        owner = self.owner
        return owner.claim(name) if name in owner.listed or (owner.open and owner.may_own(name)) else None

    def flow_into(self, name: str, field: int) -> bool:
        """Let the column *name* flow into the column *field*; False if there is no such column."""
        source = self.column(name)
        if source is None:
            return False
        builder = self.owner.builder
        builder.edges.append((field, source, IDENTITY, None))
        builder.origins[field] = source
        return True


def row_value(scope: Scope, name: str) -> int | None:
    """The row of the FROM item of that name, from the inside out, where the dialect has that."""
    return row_of_item(scope, name) if scope.dialect.row_value_of_alias else None


def row_of_item(scope: Scope, name: str) -> int | None:
    """The row of the FROM item of that name, from the inside out; None if there is no such item."""
    current: Scope | None = scope
    while current is not None:
        item = current.by_name.get(name)
        if item is not None:
            return _whole(scope.builder, item.owner)
        current = current.parent
    kept = kept_alias(scope, name) if scope.builder.piped else None
    return _whole(scope.builder, kept) if kept is not None else None


def _whole(builder: Builder, owner: Owner) -> int:
    row = builder.function(None)
    builder.structs[row] = Row(owner)
    for _, column in owner.star():
        builder.edges.append((row, column, TRANSFORMATION, None))
    return row
